"""Output formats: each takes values and returns a string; none opens a file or knows a rule.

`verification`, `excerpts`, `citations` and `listing` have the tables of the formats of a command.
"""
