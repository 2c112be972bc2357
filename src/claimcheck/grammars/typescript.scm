(function_declaration name: (_) @name parameters: (_) @parameters) @definition.function
(generator_function_declaration name: (_) @name parameters: (_) @parameters) @definition.function
(method_definition name: (_) @name parameters: (_) @parameters) @definition.function
(class_declaration name: (_) @name) @definition.class
; A function that is a value has the name that it is given; the statement is the definition.
(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @definition.function
(variable_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @definition.function
(assignment_expression left: (_) @name right: [(arrow_function) (function_expression)]) @definition.function
(pair key: (_) @name value: [(arrow_function) (function_expression)]) @definition.function
(function_signature name: (_) @name parameters: (_) @parameters) @definition.declaration
(method_signature name: (_) @name parameters: (_) @parameters) @definition.declaration
(abstract_method_signature name: (_) @name parameters: (_) @parameters) @definition.declaration
(abstract_class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name) @definition.enum
(internal_module name: (_) @name) @definition.namespace
(public_field_definition name: (_) @name) @definition.declaration
(property_signature name: (_) @name) @definition.declaration

(export_statement declaration: (_) @inner) @wrapper
; A decorator of a method stands before it; of several each belongs to the next one.
(class_body (decorator) @wrapper . (comment)* . (_) @inner)

(comment) @comment
(ERROR) @error
(MISSING) @error
