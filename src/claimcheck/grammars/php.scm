(function_definition name: (_) @name parameters: (_) @parameters) @definition.function
(method_declaration name: (_) @name parameters: (_) @parameters) @definition.function
(class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(trait_declaration name: (_) @name) @definition.class
(enum_declaration name: (_) @name) @definition.enum
(namespace_definition name: (_) @name body: (_)) @definition.namespace
(property_declaration (property_element name: (_) @name)) @definition.declaration
(const_declaration (const_element (name) @name)) @definition.declaration

(comment) @comment
(ERROR) @error
(MISSING) @error
