(source_file (_) @statement)
(block (_) @statement)
(declaration_list (_) @statement)
(field_declaration_list (_) @statement)
(enum_variant_list (_) @statement)
[
  (match_arm)
  (else_clause)
] @statement

; The first branch of a statement that may have others.
(if_expression consequence: (_) @body) @head
