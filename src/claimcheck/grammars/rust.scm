(function_item name: (_) @name parameters: (_) @parameters) @definition.function
(function_signature_item name: (_) @name parameters: (_) @parameters) @definition.declaration
(struct_item name: (_) @name) @definition.struct
(enum_item name: (_) @name) @definition.enum
(union_item name: (_) @name) @definition.union
(trait_item name: (_) @name) @definition.trait
(impl_item type: (_) @name) @definition.namespace
(mod_item name: (_) @name) @definition.namespace
(type_item name: (_) @name) @definition.type
(const_item name: (_) @name) @definition.declaration
(static_item name: (_) @name) @definition.declaration
(macro_definition name: (_) @name) @definition.macro

; An attribute stands before what it belongs to; of several each belongs to the next one.
((attribute_item) @wrapper . [(line_comment) (block_comment)]* . (_) @inner)

(line_comment) @comment
(block_comment) @comment
(ERROR) @error
(MISSING) @error
