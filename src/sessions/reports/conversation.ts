/**
 * SQL of a table of all that was said in each session, to be asked by `session` and `line_no`: copies
 * of what an origin holds are part of a fork's conversation.
 */
export const CONVERSATION = `(
  SELECT session, line_no, timestamp, role, kind, text FROM messages
  UNION ALL
  SELECT copy.session, copy.line_no, timestamp, role, kind, text FROM message_copies AS copy
    JOIN messages ON messages.key = copy.message)`;
