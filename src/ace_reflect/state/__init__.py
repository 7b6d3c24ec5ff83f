"""What is remembered between hooks: state.db."""
