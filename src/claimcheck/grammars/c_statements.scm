(translation_unit (_) @statement)
(compound_statement (_) @statement)
(field_declaration_list (_) @statement)
(case_statement (_) @statement)
[
  (else_clause)
  (case_statement)
  (enumerator)
] @statement

; The first branch of a statement that may have others.
(if_statement consequence: (_) @body) @head
