import type { ArtifactFormat } from "../../platform/sqlite/artifact.ts";

/**
 * The index of a repository. Ids of commits descend with time: the first commit of a cold index has
 * `FIRST_COMMIT_ID`, older ones follow above it, newer ones are added below. So rows in the order of
 * the id are rows from the newest to the oldest, and both ways of growing append.
 */
export const FIRST_COMMIT_ID = 4_000_000;

export const INDEX_FORMAT: ArtifactFormat = {
  version: 7,
  schema: `
    -- One row: what was indexed, and when.
    CREATE TABLE state (
      head TEXT NOT NULL,
      branch TEXT NOT NULL,
      indexed_at TEXT NOT NULL,
      -- Changes with what git says of who is who, which every commit hangs on.
      mailmap TEXT NOT NULL
    );
    -- A program may commit under the address of a person.
    CREATE TABLE authors (
      id INTEGER PRIMARY KEY,
      email TEXT NOT NULL,
      is_bot INTEGER NOT NULL,
      UNIQUE (email, is_bot)
    );
    CREATE TABLE commits (
      id INTEGER PRIMARY KEY,
      hash BLOB NOT NULL,
      author_id INTEGER NOT NULL,
      committed_at INTEGER NOT NULL,
      subject TEXT NOT NULL,
      file_count INTEGER NOT NULL,
      is_fix INTEGER NOT NULL,
      -- How much it still says: halves with age, 0 for one that touched too many files.
      weight REAL NOT NULL
    );
    CREATE TABLE co_authors (
      commit_id INTEGER NOT NULL,
      author_id INTEGER NOT NULL,
      PRIMARY KEY (commit_id, author_id)
    ) WITHOUT ROWID;
    -- Everything ever touched, by its present or last name.
    CREATE TABLE files (
      id INTEGER PRIMARY KEY,
      path TEXT NOT NULL UNIQUE,
      -- The blob at the indexed commit; NULL for what is no longer there.
      blob TEXT,
      -- What the blob is read as: the two tell which of the scans is its own.
      read_as TEXT,
      lines INTEGER NOT NULL DEFAULT 0,
      churn INTEGER NOT NULL DEFAULT 0,
      author_count INTEGER NOT NULL DEFAULT 0,
      last_touched_at INTEGER NOT NULL DEFAULT 0,
      -- Touches, and touches by fixes, that count the less the older they are.
      heat REAL NOT NULL DEFAULT 0,
      fix_heat REAL NOT NULL DEFAULT 0,
      risk INTEGER NOT NULL DEFAULT 0,
      -- How many per cent of the files of the commit have less of each.
      less_heat INTEGER NOT NULL DEFAULT 0,
      less_fix_heat INTEGER NOT NULL DEFAULT 0,
      less_lines INTEGER NOT NULL DEFAULT 0,
      less_authors INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE touches (
      commit_id INTEGER NOT NULL,
      file_id INTEGER NOT NULL,
      PRIMARY KEY (commit_id, file_id)
    ) WITHOUT ROWID;
    -- What a commit renamed, so that it can be taken back.
    CREATE TABLE renames (
      commit_id INTEGER NOT NULL,
      file_id INTEGER NOT NULL,
      old_path TEXT NOT NULL,
      -- Whether two files became one, which cannot be taken back.
      is_merge INTEGER NOT NULL,
      PRIMARY KEY (commit_id, file_id)
    ) WITHOUT ROWID;
    -- What a file says of others, by its content and what that is read as; of build files and the like, the text itself.
    CREATE TABLE scans (
      blob TEXT NOT NULL,
      read_as TEXT NOT NULL,
      lines INTEGER NOT NULL,
      scan TEXT,
      text TEXT,
      PRIMARY KEY (blob, read_as)
    ) WITHOUT ROWID;
    CREATE TABLE links (
      from_id INTEGER NOT NULL,
      to_id INTEGER NOT NULL,
      kind TEXT NOT NULL,
      PRIMARY KEY (from_id, to_id)
    ) WITHOUT ROWID;
    -- The words of commit messages; the messages themselves stay in git.
    CREATE VIRTUAL TABLE words USING fts5(
      message, content='', contentless_delete=1, detail='none', tokenize="porter unicode61"
    );
  `,
};

/** Made once the rows are in, which is faster than keeping them up to date. */
export const INDEX_INDICES: readonly string[] = [
  // Their pairs of files are counted without reading what else there is of them.
  "CREATE INDEX counted_commits ON commits(file_count) WHERE weight > 0",
  "CREATE INDEX commits_by_hash ON commits(hash)",
  "CREATE INDEX touches_by_file ON touches(file_id)",
  "CREATE INDEX links_by_target ON links(to_id)",
];
