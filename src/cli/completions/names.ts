/** Names that only the store and the folders know; the script of a shell asks for them. */
export const NAME_KINDS = ["runs", "workflows", "triggers", "sessions"] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** The hidden command that prints the names of a kind, one a line. */
export const NAMES_COMMAND = "__names";
