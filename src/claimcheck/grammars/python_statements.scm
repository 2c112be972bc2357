(module (_) @statement)
(block (_) @statement)
[
  (elif_clause)
  (else_clause)
  (except_clause)
  (finally_clause)
  (case_clause)
] @statement

; The first branch of a statement that may have others.
(if_statement consequence: (_) @body) @head
(for_statement body: (_) @body) @head
(while_statement body: (_) @body) @head
(try_statement body: (_) @body) @head
