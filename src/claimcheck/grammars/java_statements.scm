(program (_) @statement)
(block (_) @statement)
(class_body (_) @statement)
(interface_body (_) @statement)
(enum_body_declarations (_) @statement)
(annotation_type_body (_) @statement)
(constructor_body (_) @statement)
(switch_block_statement_group (_) @statement)
[
  (enum_constant)
  (switch_block_statement_group)
  (switch_rule)
  (catch_clause)
  (finally_clause)
] @statement

; The first branch of a statement that may have others.
(if_statement consequence: (_) @body) @head
(try_statement body: (_) @body) @head
(try_with_resources_statement body: (_) @body) @head
