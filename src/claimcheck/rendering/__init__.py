"""From documents and what one run has seen to filled documents and pages: values in, texts out.

`plan` says what a page comes to, `material` what blocks show, `making` makes jobs of both, `press` runs them, and
`rendered` has what comes of it.
"""
