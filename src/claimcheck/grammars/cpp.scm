; A declarator may be wrapped in pointers and references; `declared` unwraps it, since patterns for every depth took
; a tenth of a second to compile.
(function_definition declarator: (_) @declarator) @definition.function
(declaration declarator: (_) @declarator) @definition.declaration
(field_declaration declarator: (_) @declarator) @definition.declaration

(class_specifier name: (_) @name body: (_)) @definition.class
(struct_specifier name: (_) @name body: (_)) @definition.struct
(union_specifier name: (_) @name body: (_)) @definition.union
(enum_specifier name: (_) @name body: (_)) @definition.enum
(concept_definition name: (_) @name) @definition.concept
(alias_declaration name: (_) @name) @definition.type
(preproc_def name: (_) @name) @definition.macro
(preproc_function_def name: (_) @name parameters: (_) @parameters) @definition.macro
(namespace_definition name: (_) @name) @definition.namespace

(template_declaration
  [
    (function_definition)
    (declaration)
    (class_specifier)
    (struct_specifier)
    (union_specifier)
    (alias_declaration)
    (concept_definition)
    (template_declaration)
  ] @inner) @wrapper

(comment) @comment
(ERROR) @error
(MISSING) @error
; The half of a conditional whose other half the parser could not join to it.
((preproc_call directive: (preproc_directive) @half)
  (#match? @half "^#[ \\t]*(if|el|end)"))
