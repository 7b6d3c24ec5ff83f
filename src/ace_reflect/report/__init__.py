"""What people look at: the stops of a recorded session (`replay`), a judged session as plain JSON (`session`), all sessions
(`history`), what they add up to (`figures`), and the page of HTML (`page`, with `page.html.j2`, `page.css`, `page.js`).
"""
