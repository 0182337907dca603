/** The completion script of fish, which shows what each word is for. */
import { NAMES_COMMAND } from "./names.ts";
import type { Offer, Place, Values } from "./words.ts";

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

type Cases = readonly (readonly [pattern: string, body: string])[];

/** A function whose arguments have names, the last of which chooses what it does. */
function chooser(
  name: string,
  parameters: readonly string[],
  cases: Cases,
  otherwise: readonly string[] = [],
): string {
  return [
    `function __pallium_${name}`,
    ...parameters.map((parameter, at) => `  set -l ${parameter} $argv[${at + 1}]`),
    `  switch $${parameters.at(-1)}`,
    ...cases.flatMap(([pattern, body]) => [`    case ${quoted(pattern)}`, `      ${body}`]),
    "  end",
    ...otherwise,
    "end",
  ].join("\n");
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
${chooser("step", ["at"], [...steps, ["*", "echo $argv[2]"]])}
${chooser("takes", ["at"], takers, ["  return 1"])}
${chooser("values", ["program", "at"], values)}
${chooser("flags", ["at"], flags)}
${chooser("words", ["program", "at"], words)}
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
