(program (_) @statement)
(compound_statement (_) @statement)
(declaration_list (_) @statement)
(enum_declaration_list (_) @statement)
(array_creation_expression (_) @statement)
(case_statement (_) @statement)
[
  (case_statement)
  (default_statement)
  (else_clause)
  (else_if_clause)
  (catch_clause)
  (finally_clause)
] @statement

; The first branch of a statement that may have others.
(if_statement body: (_) @body) @head
(try_statement body: (_) @body) @head
