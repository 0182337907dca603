/** Completion scripts of bash and zsh, which share what is in `case` statements. */
import { NAME_KINDS, NAMES_COMMAND } from "./names.ts";
import type { Place, Values } from "./words.ts";

function kindOf(values: Values): string {
  return values.from === "list" ? `list ${values.list.join(" ")}` : values.from;
}

/** One branch of a `case`; what is quoted here comes from the registry, which has no quotes. */
function branch(patterns: readonly string[], commands: string): string {
  return `    ${patterns.map((pattern) => `"${pattern}"`).join("|")}) ${commands} ;;`;
}

/** From a place and a word to the next place. */
function steps(places: readonly Place[]): readonly string[] {
  return places.flatMap(({ path, children }) => {
    const targets = [...new Set(children.map(({ to }) => to))];
    return targets.map((target) => {
      const words = children.filter(({ to }) => to === target).map(({ word }) => word);
      return branch(
        words.map((word) => `${path} ${word}`),
        `place="${target}"`,
      );
    });
  });
}

/** From a place and a flag to what the flag takes. */
function flagKinds(places: readonly Place[]): readonly string[] {
  return places.flatMap(({ path, valueFlags }) =>
    valueFlags.map(({ spelling, values }) =>
      branch([`${path} ${spelling}`], `kind="${kindOf(values)}"`),
    ),
  );
}

function offers(places: readonly Place[]): readonly string[] {
  return places.map(({ path, children, flags, positionals }) => {
    const words = children.map(({ word }) => word).join(" ");
    const spelled = flags.map(({ word }) => word).join(" ");
    return branch(
      [path],
      `words_here="${words}"; flags_here="${spelled}"; kind_here="${kindOf(positionals)}"`,
    );
  });
}

/** Functions that set `place`, `kind` and what is offered at a place; the callers declare them. */
function tables(places: readonly Place[]): string {
  return `_pallium_step() {
  case "$place $1" in
${steps(places).join("\n")}
  esac
}
_pallium_flag() {
  kind=""
  case "$place $1" in
${flagKinds(places).join("\n")}
  esac
}
_pallium_place() {
  case "$place" in
${offers(places).join("\n")}
  esac
}
# Prints the values of a kind, one a line.
_pallium_values() {
  local name
  case "$1" in
    "list "*) printf '%s\\n' "\${1#list }" | tr ' ' '\\n' ;;
    saved) "$program" ${NAMES_COMMAND} workflows 2>/dev/null | while IFS= read -r name; do printf '/%s\\n' "$name"; done ;;
    ${NAME_KINDS.join("|")}) "$program" ${NAMES_COMMAND} "$1" 2>/dev/null ;;
  esac
}`;
}

/** Works in bash 3.2 too. Nothing that a name may hold is ever expanded. */
export function bashScript(places: readonly Place[]): string {
  return `# Completion of pallium for bash; load it with: source <(pallium completions bash)
${tables(places)}
_pallium_offer() {
  local candidate
  while IFS= read -r candidate; do
    case "$candidate" in "$current"*) COMPREPLY+=("$candidate") ;; esac
  done
}
_pallium() {
  local program="\${COMP_WORDS[0]}" current="\${COMP_WORDS[COMP_CWORD]}" place="" kind="" word index only_words=""
  local words_here="" flags_here="" kind_here="" flag=""
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$word" in
      --) only_words=1 ;;
      =) ;;
      -*)
        if [ -z "$only_words" ]; then
          _pallium_flag "$word"
          if [ -n "$kind" ]; then
            if [ "\${COMP_WORDS[index + 1]}" = "=" ]; then
              index=$((index + 1))
              if [ "$index" -eq "$COMP_CWORD" ]; then current=""; fi
            fi
            index=$((index + 1))
            if [ "$index" -ge "$COMP_CWORD" ]; then flag="$word"; fi
          fi
        fi ;;
      *) if [ -z "$only_words" ]; then _pallium_step "$word"; fi ;;
    esac
  done
  _pallium_place
  if [ -n "$flag" ]; then
    _pallium_flag "$flag"
  else
    case "$current" in
      -*)
        if [ -z "$only_words" ]; then
          _pallium_offer < <(printf '%s\\n' "$flags_here" | tr ' ' '\\n')
          return
        fi ;;
    esac
    kind="$kind_here"
    if [ -n "$words_here" ]; then kind="list $words_here"; fi
  fi
  if [ "$kind" = files ]; then
    if type compopt >/dev/null 2>&1; then compopt -o filenames 2>/dev/null; fi
    _pallium_offer < <(compgen -f -- "$current")
  else
    _pallium_offer < <(_pallium_values "$kind")
  fi
}
complete -F _pallium pallium
`;
}

/** For `fpath` as a file called `_pallium`, or to be sourced after `compinit`. */
export function zshScript(places: readonly Place[]): string {
  return `#compdef pallium
# Completion of pallium for zsh; load it with: source <(pallium completions zsh)
${tables(places)}
_pallium() {
  local program="\${words[1]}" current="\${words[CURRENT]}" place="" kind="" word index only_words=""
  local words_here="" flags_here="" kind_here="" flag=""
  local -a values
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    case "$word" in
      --) only_words=1 ;;
      -*)
        if [[ -z "$only_words" ]]; then
          _pallium_flag "$word"
          if [[ -n "$kind" ]]; then
            index=$((index + 1))
            if (( index >= CURRENT )); then flag="$word"; fi
          fi
        fi ;;
      *) if [[ -z "$only_words" ]]; then _pallium_step "$word"; fi ;;
    esac
  done
  _pallium_place
  if [[ -z "$flag" && -z "$only_words" && "$current" == --*=* ]]; then
    flag="\${current%%=*}"
    compset -P '*='
  fi
  if [[ -n "$flag" ]]; then
    _pallium_flag "$flag"
  elif [[ "$current" == -* && -z "$only_words" ]]; then
    kind="list $flags_here"
  else
    kind="$kind_here"
    if [[ -n "$words_here" ]]; then kind="list $words_here"; fi
  fi
  if [[ "$kind" == files ]]; then
    _files
  else
    values=("\${(@f)$(_pallium_values "$kind")}")
    values=(\${values:#})
    compadd -- "\${values[@]}"
  fi
}
if [[ "\${funcstack[1]}" == _pallium ]]; then _pallium "$@"; else compdef _pallium pallium; fi
`;
}
