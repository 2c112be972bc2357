(function_definition name: (identifier) @name parameters: (parameters) @parameters) @definition.function
(class_definition name: (identifier) @name) @definition.class
(decorated_definition definition: (_) @inner) @wrapper

(comment) @comment
(ERROR) @error
(MISSING) @error
