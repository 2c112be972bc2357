(compilation_unit (_) @statement)
(block (_) @statement)
(declaration_list (_) @statement)
(enum_member_declaration_list (_) @statement)
(accessor_list (_) @statement)
(switch_section (_) @statement)
[
  (switch_section)
  (catch_clause)
  (finally_clause)
] @statement

; The first branch of a statement that may have others.
(if_statement consequence: (_) @body) @head
(try_statement body: (_) @body) @head
