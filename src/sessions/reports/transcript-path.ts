/**
 * SQL of the path of a session's transcript, in a query of `sessions`; empty where it is not known. Of
 * several that tell the same session, the first by name.
 */
export const TRANSCRIPT_PATH = `coalesce(
  (SELECT path FROM sources WHERE session = sessions.key ORDER BY path LIMIT 1),
  (SELECT rollout_path FROM copied_sessions WHERE session = sessions.key), '')`;
