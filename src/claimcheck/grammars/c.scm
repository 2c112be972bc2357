(function_definition declarator: (_) @declarator) @definition.function
(declaration declarator: (_) @declarator) @definition.declaration
(struct_specifier name: (_) @name body: (_)) @definition.struct
(union_specifier name: (_) @name body: (_)) @definition.union
(enum_specifier name: (_) @name body: (_)) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(preproc_def name: (_) @name) @definition.macro
(preproc_function_def name: (_) @name parameters: (_) @parameters) @definition.macro

(comment) @comment
(ERROR) @error
(MISSING) @error
; The half of a conditional whose other half the parser could not join to it.
(preproc_call directive: (preproc_directive) @half)
