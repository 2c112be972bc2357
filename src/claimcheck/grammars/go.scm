(function_declaration name: (_) @name parameters: (_) @parameters) @definition.function
; The receiver tells methods of one name apart.
(method_declaration receiver: (_) @parameters name: (_) @name) @definition.function
(type_declaration (type_spec name: (_) @name) @definition.type)
(type_declaration (type_alias name: (_) @name) @definition.type)
(const_spec name: (_) @name) @definition.declaration
(var_spec name: (_) @name) @definition.declaration

(comment) @comment
(ERROR) @error
(MISSING) @error
