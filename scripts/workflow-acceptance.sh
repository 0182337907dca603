#!/bin/sh
# Puts an installed pallium through what its workflows promise: a line for each item, then a total.
#
#   scripts/workflow-acceptance.sh
#   PALLIUM_BIN=/path/to/pallium scripts/workflow-acceptance.sh
#   scripts/workflow-acceptance.sh "fleet limits" "agent gates"    # only these
#
# It needs sh and git. Without PALLIUM_BIN it takes the pallium in PATH, else dist/pallium of the
# repository that it lies in. It works in a folder of its own, which is gone at the end; no model is
# asked. Exit status: 0 when every item is ok, 1 when one failed or is not in this version.
set -eu

# Nothing of whoever starts it: no settings, no providers, no configuration of git.
for name in $(env | sed -n 's/^\([A-Z][A-Z0-9_]*\)=.*/\1/p'); do
  case $name in
  PALLIUM_BIN) ;;
  PALLIUM_* | GIT_* | CLAUDE* | CODEX_* | BUN_* | XDG_*) unset "$name" ;;
  esac
done

beside="$(cd "$(dirname "$0")/.." && pwd)/dist/pallium"
bin="${PALLIUM_BIN:-$(command -v pallium || echo "$beside")}"
case $bin in
/*) ;;
*/*) bin="$(pwd)/$bin" ;;
*) bin="$(command -v "$bin" || echo "$bin")" ;;
esac

work="$(mktemp -d "${TMPDIR:-/tmp}/pallium-acceptance-XXXXXX")"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

GIT_CONFIG_NOSYSTEM=1
GIT_CEILING_DIRECTORIES="$work"
GIT_AUTHOR_NAME=acceptance GIT_AUTHOR_EMAIL=acceptance@localhost
GIT_COMMITTER_NAME=acceptance GIT_COMMITTER_EMAIL=acceptance@localhost
export GIT_CONFIG_NOSYSTEM GIT_CEILING_DIRECTORIES
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL

# --- Tools of the items -----------------------------------------------------------------------------

pallium() { "$bin" "$@"; }

# Reads a script from stdin and runs it: run ID [flags...]. What the run prints is in the file `out`.
run() {
  id=$1
  shift
  cat >"$id.js"
  pallium workflow run --id "$id" --script "$id.js" --json "$@" >out
}

# A command that must fail; all that it prints is in the file `out`.
refused() {
  if "$@" >out 2>&1; then
    echo "succeeded, and was to fail: $*"
    return 1
  fi
}

# Every text must be in the file `out`.
printed() {
  for wanted in "$@"; do
    if ! grep -qF -e "$wanted" out; then
      echo "not printed: $wanted"
      head -c 2000 out
      return 1
    fi
  done
}

# A file must hold exactly this line, or these lines.
holds() {
  if [ "$(cat "$1")" != "$2" ]; then
    echo "$1 holds:"
    cat "$1"
    return 1
  fi
}

# A repository with one committed file, note.txt, that holds the line `one`.
repository() {
  git init --quiet "$1"
  echo one >"$1/note.txt"
  git -C "$1" add note.txt
  git -C "$1" commit --quiet --message "Add a note"
}

# --- Items ------------------------------------------------------------------------------------------

parallel_timing() {
  # Answers only once four agents are at work at the same time.
  PALLIUM_WORKFLOW_PROVIDER_MEETING_COMMAND='
    touch "here.$PALLIUM_WORKFLOW_LABEL"
    tries=0
    while [ "$(ls here.* | wc -l)" -lt 4 ]; do
      tries=$((tries + 1))
      [ "$tries" -lt 100 ] && [ ! -e late ] || { touch late; exit 1; }
      sleep 0.1
    done
    echo met'
  export PALLIUM_WORKFLOW_PROVIDER_MEETING_COMMAND
  run wf-parallel <<'JS'
const met = await parallel(["a", "b", "c", "d"], (label) =>
  agent("meet the others", { label, provider: "meeting" }));
return met.join("+");
JS
  printed '"status": "completed"' '"result": "met+met+met+met"'
}

resume_reuse() {
  PALLIUM_WORKFLOW_PROVIDER_COUNTER_COMMAND='echo asked >>ledger; echo seen'
  export PALLIUM_WORKFLOW_PROVIDER_COUNTER_COMMAND
  run wf-resume <<'JS'
return agent("look", { label: "look", provider: "counter" });
JS
  pallium workflow resume wf-resume --json >out
  printed '"status": "completed"' '"result": "seen"'
  holds ledger asked
}

generate_validate() {
  repository repo
  pallium workflow generate 'mend the "note"' --style test-fix --test-command true \
    --cwd repo --output fix.js
  pallium workflow validate repo/fix.js >out
  printed "Workflow script valid"
  grep -qF verify.untilGreen repo/fix.js
  echo 'phase("scan";' >bad.js
  refused pallium workflow validate bad.js
  printed "workflow script is invalid"
}

composition() {
  run wf-inner --args '{"topic":"nothing"}' <<'JS'
return "reviewed " + args.topic;
JS
  pallium workflow save wf-inner --name inner
  run wf-outer <<'JS'
return "inner " + (await workflow("inner", { topic: "auth" }));
JS
  printed '"result": "inner reviewed auth"'
  pallium workflow run /inner --args '{"topic":"billing"}' --json >out
  printed '"result": "reviewed billing"'
}

budget() {
  PALLIUM_WORKFLOW_AGENT_STUB=seen PALLIUM_WORKFLOW_AGENT_COST_USD=0.02
  export PALLIUM_WORKFLOW_AGENT_STUB PALLIUM_WORKFLOW_AGENT_COST_USD
  cat >budget.js <<'JS'
return parallel([1, 2, 3, 4], (n) => agent("look " + n, { label: "look-" + n }));
JS
  refused pallium workflow run --id wf-budget --script budget.js --max-budget-usd 0.03
  printed "workflow budget exhausted"
}

reports() {
  PALLIUM_WORKFLOW_AGENT_STUB='{"observations":["a lock is kept"],"risks":["two at once"],"next_step":"refresh it"}'
  export PALLIUM_WORKFLOW_AGENT_STUB
  run wf-report <<'JS'
return agent("look at the locks", { label: "locks" });
JS
  pallium workflow report wf-report --json >out
  printed '"findings"' "a lock is kept" '"risks"' "two at once" '"next_steps"' "refresh it"
}

preflight() {
  repository repo
  cd repo
  pallium workflow preflight "tighten the note" --scope note.txt --json >out
  printed '"task": "tighten the note"' '"files_to_inspect"' note.txt
}

until_green() {
  PALLIUM_WORKFLOW_PROVIDER_FIXER_COMMAND='echo mended >>note.txt; echo "{\"summary\":\"mended\"}"'
  PALLIUM_WORKFLOW_PROVIDER=fixer
  export PALLIUM_WORKFLOW_PROVIDER_FIXER_COMMAND PALLIUM_WORKFLOW_PROVIDER
  repository repo
  cd repo
  run wf-green <<'JS'
return verify.untilGreen("grep -q mended note.txt");
JS
  printed '\"ok\": true' '\"verdict\": \"green\"'
  holds note.txt "one
mended"
}

decisions() {
  run wf-decide <<'JS'
await pallium.decisions.record("Keep the index immutable", "readers take no lock", "index");
JS
  run wf-later <<'JS'
const [found] = await pallium.decisions.search("immutable readers", 5);
return found.title + " in " + found.run_id;
JS
  printed '"result": "Keep the index immutable in wf-decide"'
}

multi_repo() {
  PALLIUM_WORKFLOW_PROVIDER_EDITOR_COMMAND='echo two >>note.txt; echo done'
  export PALLIUM_WORKFLOW_PROVIDER_EDITOR_COMMAND
  repository here
  repository there
  run wf-repos --cwd here --args "{\"there\":\"$(pwd)/there\"}" <<'JS'
return agent("add a line", { repo: args.there, mode: "edit", provider: "editor" });
JS
  holds there/note.txt "one
two"
  holds here/note.txt one
}

library() {
  pallium workflow library install security-audit >out
  printed "Installed workflow pack security-audit as /security-audit"
  pallium workflow validate .pallium/workflows/security-audit.js
}

providers() {
  PALLIUM_WORKFLOW_PROVIDER_FAKE_COMMAND='grep -q "say who" "$PALLIUM_WORKFLOW_PROMPT_FILE"
    printf "{\"provider\":\"%s\",\"ok\":true}" "$PALLIUM_WORKFLOW_PROVIDER" >"$PALLIUM_WORKFLOW_OUTPUT_FILE"'
  export PALLIUM_WORKFLOW_PROVIDER_FAKE_COMMAND
  run wf-provider <<'JS'
return agent("say who you are", { label: "who", provider: "fake" });
JS
  printed '\"provider\": \"fake\"' '\"ok\": true'
  echo 'return agent("x", { provider: "ghost" });' >ghost.js
  refused pallium workflow run --script ghost.js
  printed PALLIUM_WORKFLOW_PROVIDER_GHOST_COMMAND
}

replanning() {
  PALLIUM_WORKFLOW_AGENT_STUB='{"decision":"stop here","next_steps":["write it down"]}'
  export PALLIUM_WORKFLOW_AGENT_STUB
  run wf-replan <<'JS'
await agent("look", { label: "look" });
const { decision, next_steps } = await coordinator.replan("finish the note");
return decision + ": " + next_steps.join();
JS
  printed '"result": "stop here: write it down"'
}

apply_revert() {
  PALLIUM_WORKFLOW_PROVIDER_EDITOR_COMMAND='echo two >>note.txt; echo done'
  export PALLIUM_WORKFLOW_PROVIDER_EDITOR_COMMAND
  repository repo
  cd repo
  run wf-edit <<'JS'
return agent("add a line", { label: "edit", mode: "edit", provider: "editor" });
JS
  holds note.txt "one
two"
  pallium workflow revert wf-edit
  holds note.txt one
  pallium workflow apply wf-edit
  holds note.txt "one
two"
}

secrets() {
  # In two pieces, so that nobody takes this script for one that holds a key.
  PALLIUM_WORKFLOW_PROVIDER_LEAK_COMMAND='echo "OPENAI_API_KEY=sk-""a7Kq92LmXz81TvBn40RwYcE5dPgH" >leak.env; echo done'
  export PALLIUM_WORKFLOW_PROVIDER_LEAK_COMMAND
  repository repo
  cd repo
  echo 'return agent("write a key", { mode: "edit", provider: "leak" });' >../leak.js
  refused pallium workflow run --script ../leak.js
  printed "workflow patch policy blocked"
  [ ! -e leak.env ]
}

triggers() {
  repository repo
  echo 'return "looked";' >look.js
  pallium workflow trigger add changed look --kind on-changed --script look.js --cwd repo
  pallium workflow trigger run changed --json >out
  printed '"status": "completed"'
  pallium workflow trigger run changed --json >out
  printed '"skipped": true' '"reason": "unchanged"'
  echo two >>repo/note.txt
  pallium workflow trigger watch --once >out
  printed "started: 1"
}

gates() {
  cat >gate.js <<'JS'
const { reason } = await gate("release", "Is it safe?", { criteria: "it was looked at" });
return reason;
JS
  PALLIUM_WORKFLOW_AGENT_STUB='{"approved":true,"reason":"looked","evidence":["note"]}'
  export PALLIUM_WORKFLOW_AGENT_STUB
  pallium workflow run --id wf-approved --script gate.js --json >out
  printed '"result": "looked"'
  PALLIUM_WORKFLOW_AGENT_STUB='{"approved":false,"reason":"not yet","evidence":["note"]}'
  refused pallium workflow run --id wf-denied --script gate.js
  printed 'workflow gate "release" rejected by agent'
  pallium workflow gate list wf-denied >out
  printed "release rejected"
}

fleet() {
  # Is at work until the second run was refused, though not for ever.
  PALLIUM_WORKFLOW_PROVIDER_PATIENT_COMMAND='
    touch started
    tries=0
    while [ ! -e go ]; do
      tries=$((tries + 1))
      [ "$tries" -lt 300 ] || exit 1
      sleep 0.1
    done
    echo went'
  export PALLIUM_WORKFLOW_PROVIDER_PATIENT_COMMAND
  echo 'return agent("wait", { provider: "patient" });' >first.js
  echo 'return 1;' >second.js
  pallium workflow run --id wf-first --script first.js --json >first.out 2>&1 &
  first=$!
  tries=0
  while [ ! -e started ] && kill -0 "$first" && [ "$tries" -lt 300 ]; do
    tries=$((tries + 1))
    sleep 0.1
  done
  status=0
  refused pallium workflow run --script second.js --max-active-runs 1 || status=$?
  touch go
  wait "$first"
  [ "$status" -eq 0 ]
  printed "workflow fleet limit reached"
  grep -qF '"result": "went"' first.out
}

analytics() {
  PALLIUM_WORKFLOW_PROVIDER_SEER_COMMAND='echo seen'
  export PALLIUM_WORKFLOW_PROVIDER_SEER_COMMAND
  run wf-counted <<'JS'
return agent("look", { provider: "seer" });
JS
  pallium workflow analytics --json >out
  printed '"runs_total": 1' '"agents_total": 1' '"seer": 1'
}

http_api() {
  echo "pallium workflow serve is there, and this script does not try it"
  return 1
}

mcp_tools() {
  printf '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}\n' | pallium workflow mcp >out
  printed pallium_workflow_run
}

checklist() {
  # Its exit status says whether it is complete; here every requirement has to be tried, and none to fail.
  pallium workflow audit --json >out || true
  printed '"v1-runner"' '"v7-audit"'
  for version in v1 v2 v3 v4 v5 v6 v7; do
    [ "$(grep -cF "\"version\": \"$version\"" out)" -ge 2 ] || {
      echo "fewer than two requirements of $version"
      return 1
    }
  done
  unmet="$(awk '/"name":/ { name = $0 } /"status": "failed"/ { print name }' out | sort -u)"
  [ -z "$unmet" ] || {
    echo "not met: $unmet"
    return 1
  }
}

# --- The run ----------------------------------------------------------------------------------------

ok=0 failed=0 absent=0

# Whether the program lacks a command: its help then is that of a group.
lacks() {
  help="$("$bin" $1 --help 2>/dev/null || true)"
  case $help in
  *"pallium $1"*) return 1 ;;
  *Usage:*) return 0 ;;
  *) return 1 ;;
  esac
}

only="$(printf '%s\n' "$@")"

# item NAME FUNCTION [COMMAND]: calls the function in a folder and a home of its own. Where the
# program does not have the command, the item is not in this version.
item() {
  if [ -n "$only" ] && ! printf '%s\n' "$only" | grep -qxF -e "$1"; then return; fi
  if [ -n "${3-}" ] && lacks "$3"; then
    absent=$((absent + 1))
    echo "not in this version: $1 (pallium $3)"
    return
  fi
  mkdir "$work/$2"
  # Not in a condition: errexit has no effect in those.
  set +e
  (
    set -e
    HOME="$work/$2"
    export HOME
    cd "$HOME"
    "$2"
  ) >"$work/said" 2>&1
  status=$?
  set -e
  if [ "$status" -eq 0 ]; then
    ok=$((ok + 1))
    echo "ok: $1"
  else
    failed=$((failed + 1))
    echo "FAILED: $1"
    sed 's/^/    /' "$work/said" | tail -n 20
  fi
}

echo "workflow acceptance of $bin"
item "parallel worker timing" parallel_timing
item "resume cache reuse" resume_reuse
item "workflow generation and validation" generate_validate
item "composition with saved workflows" composition
item "budget failure behavior" budget
item "structured reports" reports "workflow report"
item "repo preflight" preflight
item "verify.untilGreen" until_green
item "durable decisions" decisions
item "multi-repo agents" multi_repo
item "library install" library
item "configured providers" providers
item "coordinator replanning" replanning
item "edit patch apply and revert" apply_revert
item "secret patch blocking" secrets
item "on-changed triggers" triggers
item "agent gates" gates
item "fleet limits" fleet
item "analytics" analytics "workflow analytics"
item "HTTP API" http_api "workflow serve"
item "MCP tool listing" mcp_tools "workflow mcp"
item "the v1-v7 audit checklist" checklist "workflow audit"
echo "$ok ok, $failed failed, $absent not in this version"
[ "$failed" -eq 0 ] && [ "$absent" -eq 0 ]
