/** Tables about what did not come out of transcripts. */

/**
 * What was copied from databases of the Go program. A session in `copied_sessions` has nothing but that
 * copy; reading its transcript takes the row away. `read_to` is the last line of a copy on the way.
 */
export const COPIED = `
CREATE TABLE copied_databases (
  path TEXT PRIMARY KEY,
  stamp TEXT NOT NULL,
  sessions INTEGER NOT NULL,
  error TEXT,
  copied_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE copied_records (
  path TEXT NOT NULL,
  id TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  PRIMARY KEY (path, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE copied_sessions (
  session INTEGER PRIMARY KEY REFERENCES sessions (key) ON DELETE CASCADE,
  rollout_path TEXT NOT NULL,
  read_to INTEGER NOT NULL
) STRICT;
CREATE INDEX copied_sessions_path ON copied_sessions (rollout_path) WHERE rollout_path <> '';

CREATE TABLE copied_tools (
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (session, name)
) STRICT, WITHOUT ROWID;
`;

/**
 * What must not come back. Of a session that was forgotten nothing is kept but a hash of its id; of a
 * transcript whose session was pruned how the file was, so that it counts again once it is written.
 * A row of `erasures` says that deleted text may still be in free parts of the file.
 */
export const LEFT_OUT = `
CREATE TABLE forgotten (
  id_hash TEXT PRIMARY KEY,
  forgotten_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE pruned_sources (
  device INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  size INTEGER NOT NULL,
  modified_ms REAL NOT NULL,
  PRIMARY KEY (device, inode)
) STRICT, WITHOUT ROWID;

CREATE TABLE erasures (
  asked_at TEXT NOT NULL
) STRICT;
`;

/** Transcripts of a session that another transcript holds, as they were when they were read. */
export const DUPLICATES = `
CREATE TABLE duplicate_sources (
  machine TEXT NOT NULL,
  path TEXT NOT NULL,
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  device INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  size INTEGER NOT NULL,
  modified_ms REAL NOT NULL,
  PRIMARY KEY (machine, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX duplicate_sources_session ON duplicate_sources (session);
`;
