(method_declaration name: (_) @name parameters: (_) @parameters) @definition.function
(constructor_declaration name: (_) @name parameters: (_) @parameters) @definition.function
(compact_constructor_declaration name: (_) @name) @definition.function
(annotation_type_element_declaration name: (_) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(annotation_type_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(field_declaration declarator: (variable_declarator name: (_) @name)) @definition.declaration
(constant_declaration declarator: (variable_declarator name: (_) @name)) @definition.declaration
(enum_constant name: (_) @name) @definition.declaration

(line_comment) @comment
(block_comment) @comment
(ERROR) @error
(MISSING) @error
