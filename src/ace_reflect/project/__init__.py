"""
What the checkout says of itself: `facts`, which `read` takes from its files and `git` from `.git`; `infer` does without one.
"""
