"""
Is it done? Task, words and ledger in; findings, a verdict and one message out. `judge.judge_stop` is the way in.

| question | file |
| --- | --- |
| what is looked at? | `model` (findings, verdict), `case` (one stop), `stop_case` (how it is made), `task`, `words_in_force`, `words` (of one prompt) with `vocabulary`, `tests_waived`, `tests_may_fail` and `lasting` (waivers), `requests`, `shared_verb`, `foreign_words` and `foreign_orders` (other languages), `phrases` and `opening` |
| what is decided? | `judge`, `verdicts` (block, wait, stand), `silence`, `stop_kind`, `human_action`, `loops`, `message` |
| tests and build | `tests`, `build`; `debt`, `undone`, `proof`, `unanswered` (red runs), `loosened`, `places`, `scripts` (package.json's), `script_runs`, `known_tests`, `left_out`, `exempt`, `known_number`, `command_text` |
| shipping | `pull_request` (pr, ci and direct_push) |
| what the answer says | `claims` with `claim_text`, `listed_claims`; each kind: `tests_claims` with `suite_claims`, `check_claims`, `shipped_claims`, `command_claims`, `ran_claims`, `automatic_claims` (CI, hooks), `hedges` and `file_claims`; `done`, `confirmation`, `honesty`, `foreign_answers` (other languages), `prose` |
| what is left | `remaining_work` with `handed_over`, `asked_for`, `not_shipped`, `completion`, `wiring` |
| for others | `report` (as JSON), `fact_lines` (facts as a model is shown them), `replay` (every stop of a recorded session) |
"""
