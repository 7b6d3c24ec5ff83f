"""Is it done? Task, words and ledger in; findings, a verdict and one message out. `judge.judge_stop` is the way in."""
