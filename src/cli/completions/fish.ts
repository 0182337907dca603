/** The completion script of fish, which shows what each word is for. */
import { NAMES_COMMAND, type Offer, type Place, type Values } from "./words.ts";

/** Within single quotes fish reads only these two as anything but themselves. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
}

function print(offers: readonly Offer[]): string {
  if (offers.length === 0) return "true";
  return `printf '%s\\t%s\\n' ${offers.map(({ word, summary }) => `${quoted(word)} ${quoted(summary)}`).join(" ")}`;
}

function printValues(values: Values): string {
  switch (values.from) {
    case "nowhere":
      return "true";
    case "files":
      return "__fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')";
    case "list":
      return `printf '%s\\n' ${values.list.map(quoted).join(" ")}`;
    case "saved":
      return `$program ${NAMES_COMMAND} workflows 2>/dev/null | string replace -r '^' '/'`;
    default:
      return `$program ${NAMES_COMMAND} ${values.from} 2>/dev/null`;
  }
}

function switchOver(cases: readonly (readonly [string, string])[], subject: string): string {
  const branches = cases.flatMap(([pattern, body]) => [
    `    case ${quoted(pattern)}`,
    `      ${body}`,
  ]);
  return [`  switch $${subject}`, ...branches, "  end"].join("\n");
}

export function fishScript(places: readonly Place[]): string {
  const steps = places.flatMap(({ path, children }) =>
    children.map(({ word, to }) => [`${path} ${word}`, `echo ${quoted(to)}`] as const),
  );
  const values = places.flatMap(({ path, valueFlags }) =>
    valueFlags.map(({ spelling, values }) => [`${path} ${spelling}`, printValues(values)] as const),
  );
  const takers = places.flatMap(({ path, valueFlags }) =>
    valueFlags.map(({ spelling }) => [`${path} ${spelling}`, "return 0"] as const),
  );
  const flags = places.map(({ path, flags }) => [path, print(flags)] as const);
  const words = places.map(
    ({ path, children, positionals }) =>
      [path, children.length > 0 ? print(children) : printValues(positionals)] as const,
  );
  return `# Completion of pallium for fish; load it with: pallium completions fish | source
function __pallium_step
  set -l at $argv[1]
${switchOver([...steps, ["*", "echo $argv[2]"]], "at")}
end
function __pallium_takes
  set -l at $argv[1]
${switchOver(takers, "at")}
  return 1
end
function __pallium_values
  set -l program $argv[1]
  set -l at $argv[2]
${switchOver(values, "at")}
end
function __pallium_flags
  set -l at $argv[1]
${switchOver(flags, "at")}
end
function __pallium_words
  set -l program $argv[1]
  set -l at $argv[2]
${switchOver(words, "at")}
end
function __pallium_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -l program $before[1]
  set -e before[1]
  set -l place ''
  set -l flag ''
  set -l only_words 0
  for word in $before
    if test -n "$flag"
      set flag ''
    else if test "$word" = --
      set only_words 1
    else if string match -q -- '-*' "$word"; and test $only_words = 0
      if __pallium_takes "$place $word"
        set flag "$word"
      end
    else if test $only_words = 0
      set place (__pallium_step "$place $word" "$place")
    end
  end
  if test -n "$flag"
    __pallium_values $program "$place $flag"
  else if string match -q -- '--*=*' "$current"; and test $only_words = 0
    set flag (string replace -r '=.*' '' -- "$current")
    for value in (__pallium_values $program "$place $flag")
      echo "$flag=$value"
    end
  else if string match -q -- '-*' "$current"; and test $only_words = 0
    __pallium_flags "$place"
  else
    __pallium_words $program "$place"
  end
end
complete -c pallium -f -a '(__pallium_complete)'
`;
}
