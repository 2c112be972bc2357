(program (_) @statement)
(body_statement (_) @statement)
(block_body (_) @statement)
(then (_) @statement)
(do (_) @statement)
[
  (elsif)
  (else)
  (when)
  (rescue)
  (ensure)
] @statement

; The first branch of a statement that may have others.
(if consequence: (_) @body) @head
