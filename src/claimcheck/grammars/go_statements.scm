(source_file (_) @statement)
(block (_) @statement)
(statement_list (_) @statement)
(field_declaration_list (_) @statement)
(interface_type (_) @statement)
(const_declaration (_) @statement)
(literal_value (_) @statement)
[
  (expression_case)
  (default_case)
  (type_case)
  (communication_case)
] @statement

; The first branch of a statement that may have others.
(if_statement consequence: (_) @body) @head
