/** The environment variable that tells which call a process belongs to; children inherit it. */
export const MARKER_VARIABLE = "PALLIUM_CALL";
