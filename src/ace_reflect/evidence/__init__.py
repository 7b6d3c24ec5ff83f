"""What really happened: records -> ledger of facts, each with the line that proves it. Pure."""
