"""What people look at: the stops of a recorded session (`replay`), and a judged session as plain JSON (`session`)."""
