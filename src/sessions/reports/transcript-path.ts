/** SQL of the path of a session's transcript, in a query of `sessions`; empty where it is not known. */
export const TRANSCRIPT_PATH = `coalesce(
  (SELECT path FROM sources WHERE session = sessions.key),
  (SELECT rollout_path FROM copied_sessions WHERE session = sessions.key), '')`;
