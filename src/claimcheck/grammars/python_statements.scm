(module (_) @statement)
(block (_) @statement)
[
  (elif_clause)
  (else_clause)
  (except_clause)
  (finally_clause)
  (case_clause)
] @statement
