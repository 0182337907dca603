/**
 * The repository that a session worked in, as it was when its transcript was read: top of its working
 * tree, the git directory that all its working trees share, and what names its origin. Null until
 * somebody looked, empty for none. The indexes hold all that is asked for: rows of sessions are long.
 */
export const PLACES = `
ALTER TABLE sessions ADD COLUMN worktree TEXT;
ALTER TABLE sessions ADD COLUMN repository TEXT;
ALTER TABLE sessions ADD COLUMN origin TEXT;
CREATE INDEX sessions_unplaced ON sessions (cwd, git_origin_url) WHERE repository IS NULL;
CREATE INDEX sessions_cwd ON sessions (cwd, repository, worktree, origin, updated_at);
CREATE INDEX sessions_repository ON sessions (repository, cwd, worktree, origin, updated_at)
  WHERE repository <> '';
CREATE INDEX sessions_origin ON sessions (origin, repository, cwd, worktree, updated_at)
  WHERE origin <> '';
`;
