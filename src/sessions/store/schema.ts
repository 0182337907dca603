/**
 * Tables of `sessions.sqlite`: what agents said and did, secrets taken out. A released migration is
 * frozen; changes are new ones.
 */
import type { Migration } from "../../platform/sqlite/migrations.ts";
import { COPIED, DUPLICATES, LEFT_OUT } from "./keeping-schema.ts";
import { PLACES } from "./places-schema.ts";

/**
 * Times are UTC with milliseconds, empty where a transcript has none. A message that several
 * transcripts hold, because one is a fork of another, is stored once: with the session that began
 * first, and as a copy with the others. `sources.state` is what the reader of the format goes on from.
 */
const TRANSCRIPTS = `
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY,
  machine TEXT NOT NULL,
  provider TEXT NOT NULL,
  id TEXT NOT NULL,
  parent_id TEXT NOT NULL,
  forked_from TEXT NOT NULL,
  title TEXT NOT NULL,
  first_user_message TEXT NOT NULL,
  last_agent_message TEXT NOT NULL,
  cwd TEXT NOT NULL,
  source TEXT NOT NULL,
  model_provider TEXT NOT NULL,
  model TEXT NOT NULL,
  cli_version TEXT NOT NULL,
  git_branch TEXT NOT NULL,
  git_origin_url TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  indexed_at TEXT NOT NULL,
  tokens_used INTEGER NOT NULL,
  status TEXT NOT NULL,
  event_counts TEXT NOT NULL,
  UNIQUE (machine, provider, id)
) STRICT;
CREATE INDEX sessions_updated ON sessions (updated_at);
CREATE INDEX sessions_parent ON sessions (parent_id) WHERE parent_id <> '';

CREATE TABLE sources (
  path TEXT NOT NULL,
  machine TEXT NOT NULL,
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  device INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  size INTEGER NOT NULL,
  modified_ms REAL NOT NULL,
  read_bytes INTEGER NOT NULL,
  read_lines INTEGER NOT NULL,
  ends_hash TEXT NOT NULL,
  state TEXT NOT NULL,
  malformed INTEGER NOT NULL,
  PRIMARY KEY (machine, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX sources_session ON sources (session);

CREATE TABLE messages (
  key INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  line_no INTEGER NOT NULL,
  timestamp TEXT NOT NULL,
  role TEXT NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  uid TEXT
) STRICT;
CREATE INDEX messages_session ON messages (session, line_no);
CREATE UNIQUE INDEX messages_uid ON messages (uid) WHERE uid IS NOT NULL;
CREATE INDEX messages_tool ON messages (session, kind) WHERE role = 'tool' AND kind <> 'tool_result';

CREATE TABLE message_copies (
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  line_no INTEGER NOT NULL,
  message INTEGER NOT NULL REFERENCES messages (key) ON DELETE CASCADE,
  PRIMARY KEY (session, line_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_copies_message ON message_copies (message);

CREATE TABLE touches (
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  path TEXT NOT NULL,
  line_no INTEGER NOT NULL,
  timestamp TEXT NOT NULL,
  kind TEXT NOT NULL,
  PRIMARY KEY (session, path, line_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX touches_path ON touches (path);

CREATE TABLE commands (
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  line_no INTEGER NOT NULL,
  call_id TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  command TEXT NOT NULL,
  ended_at TEXT NOT NULL DEFAULT '',
  exit_code INTEGER,
  PRIMARY KEY (session, line_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX commands_call ON commands (session, call_id);

CREATE TABLE failures (
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  line_no INTEGER NOT NULL,
  excerpt TEXT NOT NULL,
  PRIMARY KEY (session, line_no)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage (
  uid TEXT PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  tokens INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_session ON usage (session);

CREATE TABLE unknown_records (
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  line INTEGER NOT NULL,
  type TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (session, line)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE message_words USING fts5 (
  text, parts, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE session_words USING fts5 (
  title, asked, place, files, content='', contentless_delete=1,
  tokenize="porter unicode61 remove_diacritics 2"
);
`;

/**
 * Pieces of sessions are places in what is stored of them, no texts; `cut_sessions.state` tells whether a
 * session is still what was cut. The text of a row never changes: other text is another row, and the
 * vectors of the old one go with it. A space is one model of one provider; its vectors are float32, little
 * endian, and count only in its current generation, which is another one once a model was replaced
 * under its name.
 */
const EMBEDDINGS = `
CREATE TABLE cut_sessions (
  session INTEGER PRIMARY KEY REFERENCES sessions (key) ON DELETE CASCADE,
  state TEXT NOT NULL
) STRICT;

CREATE TABLE chunks (
  key INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  line_no INTEGER NOT NULL,
  start INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  text_hash TEXT NOT NULL
) STRICT;
CREATE INDEX chunks_session ON chunks (session, seq);

CREATE TABLE embedding_spaces (
  key INTEGER PRIMARY KEY,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  dim INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  UNIQUE (provider, model)
) STRICT;

CREATE TABLE vectors (
  space INTEGER NOT NULL REFERENCES embedding_spaces (key) ON DELETE CASCADE,
  chunk INTEGER NOT NULL REFERENCES chunks (key) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  embedded_at TEXT NOT NULL,
  vector BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX vectors_place ON vectors (space, chunk, generation);
CREATE INDEX vectors_chunk ON vectors (chunk);
`;

/** Every word of the messages with the number of messages that hold it; it takes no room. */
const WORDS = "CREATE VIRTUAL TABLE message_terms USING fts5vocab(message_words, row);";

/**
 * Words are gathered in memory, for a whole transaction of an index, and merged on disk once there are
 * more pieces of them than usual: written down in small pieces, all of them would be written several
 * times.
 */
const WORDS_AT_ONCE = `
INSERT INTO message_words (message_words, rank) VALUES ('hashsize', ${8 * 1024 * 1024});
INSERT INTO message_words (message_words, rank) VALUES ('automerge', 8);
`;

/** In the order in which transcripts tell of files: by path each would have been written elsewhere. */
const TOUCHES_IN_ORDER = `
CREATE TABLE touches_in_order (
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  line_no INTEGER NOT NULL,
  path TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  kind TEXT NOT NULL,
  PRIMARY KEY (session, line_no, path)
) STRICT, WITHOUT ROWID;
INSERT INTO touches_in_order (session, line_no, path, timestamp, kind)
  SELECT session, line_no, path, timestamp, kind FROM touches;
DROP TABLE touches;
ALTER TABLE touches_in_order RENAME TO touches;
CREATE INDEX touches_path ON touches (path);
`;

/** What a search looks at of thousands of messages: beside their texts it would be a page of the file for each. */
const MESSAGES_IN_BRIEF = `
CREATE INDEX messages_brief ON messages (key, session, role, octet_length(text));
`;

export const SESSION_MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "transcripts", sql: TRANSCRIPTS },
  { version: 2, name: "embeddings", sql: EMBEDDINGS },
  { version: 3, name: "copies of the Go program's sessions", sql: COPIED },
  { version: 4, name: "what is left out", sql: LEFT_OUT },
  { version: 5, name: "words of messages", sql: WORDS },
  { version: 6, name: "places", sql: PLACES },
  { version: 7, name: "words are written in large pieces", sql: WORDS_AT_ONCE },
  { version: 8, name: "touches in the order of their lines", sql: TOUCHES_IN_ORDER },
  { version: 9, name: "messages in brief", sql: MESSAGES_IN_BRIEF },
  { version: 10, name: "duplicates", sql: DUPLICATES },
];
