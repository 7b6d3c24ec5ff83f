"""What was learned: key points and everything that is done to them."""
