"""Is it done? Read `model` (what a gate says) and `case` (what it looks at, with the `words` that rules read), then the gates:
`tests`, `shipping` (build, pull request, CI, direct push) and `answer` (claims, remaining work, completion). `judge` makes one
decision of their findings, and `message` puts it into words.
"""
