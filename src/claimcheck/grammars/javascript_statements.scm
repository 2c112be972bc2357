(program (_) @statement)
(statement_block (_) @statement)
(class_body (_) @statement)
(object (_) @statement)
(switch_case body: (_) @statement)
[
  (switch_case)
  (switch_default)
  (else_clause)
  (catch_clause)
  (finally_clause)
] @statement

; The first branch of a statement that may have others.
(if_statement consequence: (_) @body) @head
(try_statement body: (_) @body) @head
