/** How a value is given to a name, in many languages: what stands between the two. */

const BLANKS = "[ \\t]{0,10}";
const QUOTE = "[\"'`]";
/** What may close before the operator: the quote of the name, an index, a call. */
const CLOSED = `["'\`\\])]{0,3}${BLANKS}`;
/** `: string =`, `: &'static str =` */
const TYPED = `:(?:[ \\t]{0,4}[\\w<>|&'[\\] ?]{1,40}=(?!=))?`;
/** `[]byte("`, `["`, `@"`, `b"`: what may open before the quote of a value, on the same line or the next. */
const OPENED = `(?:\\r?\\n[ \\t]{0,60}(?=[@brfu]{0,2}${QUOTE}))?`;
const PREFIXED = `(?:(?:[@brfu]{1,2}#?|\\[)(?=${QUOTE}))?`;

const BETWEEN = [
  `${CLOSED}(?::=|=>|={1,3}|!==?|\\?\\?=?|\\|\\|=?|\\?:|or(?=[ \\t]{1,4}${QUOTE})|${TYPED})${BLANKS}${OPENED}`,
  `\\((?=[@brfu]{0,2}${QUOTE})`,
  // name: X, then value: Y; as attributes, in JSON and in YAML
  `${QUOTE}?,?\\s{1,60}${QUOTE}?value${QUOTE}?${BLANKS}[:=]${BLANKS}`,
  `${QUOTE},${BLANKS}`,
  // variable "x" { default = Y }
  `${QUOTE}[ \\t]{1,4}\\{[^{}]{0,300}?\\bdefault${BLANKS}=${BLANKS}`,
  // a block of YAML
  ":[ \\t]{1,4}[|>][+-]?[ \\t]{0,4}\\n[ \\t]{1,40}",
  `(?<tag>["']?>)`,
  "(?<blank>[ \\t]{1,10})",
];

/**
 * Tried where the name, as far as it tells, ends. Groups: `rest` of the name; `tag` when it is an
 * element's; `blank` when nothing but blanks assigns; `quote` of the value.
 */
export const ASSIGNS = new RegExp(
  `(?<rest>[\\w.-]{0,40})(?:${BETWEEN.join("|")})${PREFIXED}(?<quote>${QUOTE}?)`,
  "iy",
);
