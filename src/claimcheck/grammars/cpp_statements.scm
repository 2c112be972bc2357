(translation_unit (_) @statement)
(compound_statement (_) @statement)
(declaration_list (_) @statement)
(field_declaration_list (_) @statement)
(case_statement (_) @statement)
[
  (else_clause)
  (catch_clause)
  (case_statement)
  (enumerator)
] @statement

; The first branch of a statement that may have others.
(if_statement consequence: (_) @body) @head
(try_statement body: (_) @body) @head
