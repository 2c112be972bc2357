(method_declaration name: (_) @name parameters: (_) @parameters) @definition.function
(constructor_declaration name: (_) @name parameters: (_) @parameters) @definition.function
(operator_declaration operator: _ @name parameters: (_) @parameters) @definition.function
(indexer_declaration "this" @name parameters: (_) @parameters) @definition.property
(local_function_statement name: (_) @name parameters: (_) @parameters) @definition.function
(property_declaration name: (_) @name) @definition.property
(event_declaration name: (_) @name) @definition.property
(delegate_declaration name: (_) @name) @definition.type
(class_declaration name: (_) @name) @definition.class
(struct_declaration name: (_) @name) @definition.struct
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_member_declaration name: (_) @name) @definition.declaration
(namespace_declaration name: (_) @name) @definition.namespace
; All of the file is in such a namespace.
(compilation_unit (file_scoped_namespace_declaration name: (_) @name)) @definition.namespace
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.declaration
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.declaration

(comment) @comment
(ERROR) @error
(MISSING) @error
