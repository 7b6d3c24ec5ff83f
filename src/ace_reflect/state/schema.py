"""
The tables of `state.db`, as numbered, append-only migrations.

Data outlives code: a migration that was released is never changed, and some of its columns, `claims` and `stops` are used no
more. Times are seconds since 1970. JSON stands in TEXT columns, so that SQLite's own functions can read it.
"""

_1 = """
CREATE TABLE claims (key TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY, project TEXT NOT NULL DEFAULT '', transcript TEXT NOT NULL DEFAULT '',
  source TEXT NOT NULL DEFAULT '', parent TEXT NOT NULL DEFAULT '', process TEXT NOT NULL DEFAULT '',
  started_at REAL NOT NULL, seen_at REAL NOT NULL, ended_at REAL,
  learned_size INTEGER NOT NULL DEFAULT 0,   -- bytes of the transcript when it was last learned from to its end
  waivers TEXT NOT NULL DEFAULT '[]', skipped_at REAL
) WITHOUT ROWID;
CREATE INDEX sessions_by_project ON sessions (project, seen_at);
CREATE INDEX sessions_by_transcript ON sessions (transcript);

-- what the Stop hook has read so far; apart from sessions, so that a prompt does not rewrite a large row
CREATE TABLE ledgers (
  session TEXT PRIMARY KEY,
  device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
  cursor TEXT NOT NULL, ledger BLOB NOT NULL, builder BLOB NOT NULL, extra BLOB, at REAL NOT NULL
);

CREATE TABLE prompts (
  id INTEGER PRIMARY KEY, session TEXT NOT NULL, prompt_id TEXT, at REAL NOT NULL, text TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, fingerprint TEXT NOT NULL DEFAULT '',
  end_state TEXT NOT NULL DEFAULT '', verdict TEXT, data TEXT, decided_at REAL
);
CREATE UNIQUE INDEX prompts_once ON prompts (session, prompt_id);
CREATE INDEX prompts_latest ON prompts (session, id);

CREATE TABLE given_up (session TEXT NOT NULL, key TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (session, key)) WITHOUT ROWID;

CREATE TABLE stops (
  key TEXT PRIMARY KEY, session TEXT NOT NULL, at REAL NOT NULL,
  decision TEXT NOT NULL, needs_model INTEGER NOT NULL DEFAULT 0, data TEXT
) WITHOUT ROWID;

CREATE TABLE injected (
  session TEXT NOT NULL, playbook TEXT NOT NULL, key_point TEXT NOT NULL, at REAL NOT NULL,
  gone INTEGER NOT NULL DEFAULT 0,           -- compacted away: may be injected again, and a citation before still counts
  PRIMARY KEY (session, playbook, key_point)
) WITHOUT ROWID;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, session TEXT NOT NULL, project TEXT NOT NULL, transcript TEXT NOT NULL,
  reason TEXT NOT NULL,                      -- session_end, pre_compact, sweep, person
  final INTEGER NOT NULL, payload TEXT NOT NULL DEFAULT '{}',
  state TEXT NOT NULL DEFAULT 'queued',      -- queued, running, done, set-aside
  tries INTEGER NOT NULL DEFAULT 0, created_at REAL NOT NULL, not_before REAL NOT NULL DEFAULT 0,
  leased_at REAL, lease_until REAL, owner TEXT, finished_at REAL, error TEXT, outcome TEXT
);
CREATE INDEX jobs_by_state ON jobs (state, id);
-- a second event for the same transcript joins the job that waits
CREATE UNIQUE INDEX jobs_waiting ON jobs (kind, transcript) WHERE state = 'queued';

-- a turn counts once in a playbook, whatever event, session, fork or retry brings it
CREATE TABLE turns (
  key TEXT NOT NULL, playbook TEXT NOT NULL, session TEXT NOT NULL, at REAL NOT NULL,
  mode TEXT NOT NULL DEFAULT '', intent INTEGER, undone_at REAL, PRIMARY KEY (key, playbook)
) WITHOUT ROWID;

CREATE TABLE votes (
  id INTEGER PRIMARY KEY, playbook TEXT NOT NULL, key_point TEXT NOT NULL, tag TEXT NOT NULL,
  counted INTEGER NOT NULL,                  -- whether a counter was moved
  rationale TEXT NOT NULL DEFAULT '', based_on TEXT NOT NULL DEFAULT '',
  grounded INTEGER NOT NULL DEFAULT 0, evidence TEXT NOT NULL DEFAULT '[]',
  session TEXT NOT NULL DEFAULT '', turn TEXT NOT NULL DEFAULT '', mode TEXT NOT NULL DEFAULT '',
  at REAL NOT NULL, intent INTEGER, undone_at REAL
);
CREATE INDEX votes_by_key_point ON votes (playbook, key_point, id);
CREATE INDEX votes_by_intent ON votes (intent);

CREATE TABLE changes (
  id INTEGER PRIMARY KEY, playbook TEXT NOT NULL, op TEXT NOT NULL,
  key_point TEXT NOT NULL DEFAULT '', before TEXT, after TEXT,
  actor TEXT NOT NULL DEFAULT '',            -- curator, offline, person, dedup, prune
  reason TEXT NOT NULL DEFAULT '', source TEXT NOT NULL DEFAULT '',  -- user, outcome, read
  evidence TEXT NOT NULL DEFAULT '[]', session TEXT NOT NULL DEFAULT '', turn TEXT NOT NULL DEFAULT '',
  hash_before TEXT NOT NULL DEFAULT '', hash_after TEXT NOT NULL DEFAULT '',
  at REAL NOT NULL, intent INTEGER, undone_at REAL
);
CREATE INDEX changes_by_playbook ON changes (playbook, id);
CREATE INDEX changes_by_key_point ON changes (playbook, key_point, id);
CREATE INDEX changes_by_intent ON changes (intent);

-- a change of a playbook that was begun: committed before the file is replaced, closed after
CREATE TABLE intents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,      -- never given twice: votes and changes refer to it after it is gone
  playbook TEXT NOT NULL, hash_before TEXT NOT NULL, hash_after TEXT NOT NULL,
  content TEXT NOT NULL,                     -- the file as it is to be: a kill in between is rolled forward
  rows TEXT NOT NULL,                        -- JSON of `record.Rows`: become real when the file is
  session TEXT NOT NULL DEFAULT '', owner TEXT NOT NULL DEFAULT '', at REAL NOT NULL
);
CREATE INDEX intents_by_playbook ON intents (playbook);

CREATE TABLE numbers (playbook TEXT NOT NULL, slug TEXT NOT NULL, highest INTEGER NOT NULL, PRIMARY KEY (playbook, slug)) WITHOUT ROWID;
-- migrated key points without a vote under the new rules
CREATE TABLE protected (playbook TEXT NOT NULL, key_point TEXT NOT NULL, PRIMARY KEY (playbook, key_point)) WITHOUT ROWID;

CREATE TABLE inbox (
  id INTEGER PRIMARY KEY, playbook TEXT NOT NULL, section TEXT NOT NULL, text TEXT NOT NULL,
  source TEXT NOT NULL, quote TEXT NOT NULL DEFAULT '', why TEXT NOT NULL DEFAULT '',
  session TEXT NOT NULL DEFAULT '', turn TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT 'waiting',     -- waiting, accepted, rejected
  at REAL NOT NULL, decided_at REAL, key_point TEXT, operation TEXT
);
CREATE INDEX inbox_by_state ON inbox (state, playbook);

CREATE TABLE cache (
  kind TEXT NOT NULL, key TEXT NOT NULL, identity TEXT NOT NULL, value BLOB NOT NULL, at REAL NOT NULL,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;

CREATE TABLE usage (
  id INTEGER PRIMARY KEY, at REAL NOT NULL, day TEXT NOT NULL, session TEXT NOT NULL DEFAULT '',
  role TEXT NOT NULL, model TEXT NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
  cost_usd REAL, ms INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX usage_by_day ON usage (day);
CREATE INDEX usage_by_session ON usage (session);

CREATE TABLE trust (path TEXT PRIMARY KEY, hash TEXT NOT NULL, at REAL NOT NULL) WITHOUT ROWID;
"""

_2 = """
-- what the session's stops came to so far, as JSON (`gates.model.History`); `attempts` of prompts is a copy of its own
ALTER TABLE sessions ADD COLUMN history TEXT NOT NULL DEFAULT '';
DROP TABLE given_up;

-- gates that are only notes in a project: given up in three of its sessions in a row; told: when a session's start said so
CREATE TABLE notes (
  project TEXT NOT NULL, gate TEXT NOT NULL, at REAL NOT NULL, told_at REAL, PRIMARY KEY (project, gate)
) WITHOUT ROWID;
"""

MIGRATIONS = (_1, _2)
