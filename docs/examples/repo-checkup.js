// A check-up of a repository: what state it is in, what is risky, what to do next.
//
//   pallium workflow run --script docs/examples/repo-checkup.js
//   pallium workflow run --script docs/examples/repo-checkup.js --args '{"agents":true}'
//
// Without `agents` everything is found by git and small shell commands, in a few seconds; nothing
// is changed and nothing leaves the machine. With it, agents read the riskiest files as well.
export const meta = {
  name: "repo-checkup",
  description: "Check up on a repository with git and, if asked, with agents",
  phases: ["survey", "review", "synthesis"],
};

const ROWS = 15;
const MANY_OPEN_MARKS = 20;
const LARGE_BYTES = 1024 * 1024;
const REVIEWED_FILES = 3;
const NOT_SOURCE = /(^|\/)(\.[^/]*|[^/]*\.(lock|md|txt|json|ya?ml|toml|svg))$/i;

const findings = [];
const risks = [];
const nextSteps = [];
const notChecked = [];

// Every probe is a command whose exit code is 0 unless it could not do its work.
async function probe(label, command) {
  const result = await check(command, { label, timeoutSeconds: 60 });
  if (result.ok) return result.output_tail.split("\n").filter((line) => line !== "");
  notChecked.push(label + ": " + result.summary);
  return [];
}

// Lines such as "12<tab>src/main.ts".
function counted(lines) {
  return lines
    .map((line) => {
      const tab = line.indexOf("\t");
      return { count: Number(line.slice(0, tab)), path: line.slice(tab + 1) };
    })
    .filter(({ count, path }) => Number.isFinite(count) && path !== "");
}

function plural(count, word) {
  return count + " " + word + (count === 1 ? "" : "s");
}

function listed(lines) {
  return lines.slice(0, ROWS).join(", ") + (lines.length > ROWS ? " and more" : "");
}

function rowTexts(rows) {
  return rows.map(({ count, path }) => path + ": " + count);
}

function names(rows) {
  return rows.map(({ path }) => path).join(", ");
}

// One row more than is shown, so that the report can say that there are more.
const LIST = " | cut -c1-220 | head -n " + (ROWS + 1);
const TOP = " | LC_ALL=C sort -k1,1nr -k2 | cut -c1-220 | head -n " + ROWS;

const SURVEY = {
  head:
    "git symbolic-ref --quiet --short HEAD || echo '(detached)';" +
    " git rev-list --count HEAD; git log -1 --no-show-signature --format='%h %cs %s' | cut -c1-200",
  changed: "git status --porcelain --untracked-files=no | wc -l",
  untracked: "git ls-files --others --exclude-standard" + LIST,
  upstream: "git rev-list --left-right --count '@{upstream}...HEAD' 2>/dev/null || echo none",
  unfinished:
    'dir=$(git rev-parse --git-dir) && for name in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD' +
    ' rebase-merge rebase-apply; do if [ -e "$dir/$name" ]; then echo "$name"; fi; done',
  // Only files that still exist: the first part lists them, the second counts their commits.
  churn:
    "{ git ls-files; echo //; git log -n 500 --no-merges --relative --format= --name-only; } |" +
    ' awk \'!past { if ($0 == "//") past = 1; else kept[$0] = 1; next }' +
    ' $0 in kept { n[$0]++ } END { for (f in n) print n[f] "\\t" f }\'' +
    TOP,
  large:
    "git ls-tree -r -l HEAD | awk -F'\\t' '{ split($1, part, \" \"); print part[4] \"\\t\" $2 }'" +
    TOP,
  marks:
    "git grep --no-color -I -w -c -e TODO -e FIXME -e HACK -e XXX |" +
    " awk '{ at = match($0, /:[0-9]+$/);" +
    ' print substr($0, at + 1) "\\t" substr($0, 1, at - 1) }\'' +
    TOP,
  conflicts:
    "git grep --no-color -I -l --all-match -e '^<<<<<<< ' -e '^>>>>>>> '" + LIST,
  whitespace: "git diff --no-color HEAD --check | grep -c -v '^+' || true",
  keys:
    "git ls-files | grep -E '(^|/)(\\.env|id_(rsa|ecdsa|ed25519)|[^/]*\\.(p12|pfx|keystore))$'" +
    LIST,
  collisions:
    "git ls-files | LC_ALL=C tr '[:upper:]' '[:lower:]' | LC_ALL=C sort | uniq -d" +
    LIST,
  tests:
    "git ls-files | grep -c -E '(^|/)(tests?|spec|__tests__)/|[._-](test|spec)\\.[a-z]+$|" +
    "_test\\.[a-z]+$|(^|/)test_[^/]*\\.py$' || true",
  files: "git ls-files | wc -l",
  tools:
    "for name in README* LICENSE* package.json package-lock.json go.mod Cargo.toml pyproject.toml" +
    " setup.py pom.xml build.gradle Gemfile composer.json Makefile .github/workflows" +
    ' .gitlab-ci.yml .circleci .ci Jenkinsfile; do if [ -e "$name" ]; then echo "$name"; fi; done',
  scripts:
    "if [ -f package.json ]; then sed -n '/\"scripts\"[[:space:]]*:/,/}/p' package.json" +
    " | cut -c1-120 | head -n 30; fi",
};

async function stateOfGit() {
  const [state] = await probe(
    "git",
    "if ! command -v git >/dev/null 2>&1; then echo missing;" +
      " elif ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then echo no-repository;" +
      " elif ! git rev-parse --verify --quiet HEAD >/dev/null; then echo no-commits;" +
      " else echo ready; fi",
  );
  return state ?? "unknown";
}

function report(facts, extra) {
  if (nextSteps.length === 0) nextSteps.push("Nothing urgent was found");
  return {
    summary: plural(findings.length, "finding") + ", " + plural(risks.length, "risk"),
    findings,
    risks,
    next_steps: nextSteps,
    not_checked: notChecked,
    facts,
    ...extra,
  };
}

function lookAtWork({ head, changed, untracked, upstream, unfinished, whitespace }) {
  const [branch = "?", commits = "?", last = "?"] = head;
  findings.push("On " + branch + " with " + plural(Number(commits), "commit") + ", last: " + last);
  const dirty = Number(changed[0] ?? 0);
  if (dirty > 0) findings.push(plural(dirty, "tracked file") + " changed but not committed");
  if (untracked.length > 0) {
    findings.push("Untracked: " + listed(untracked));
    nextSteps.push("Commit, ignore or delete the untracked files");
  }
  if (unfinished.length > 0) {
    risks.push("An operation of git is unfinished: " + unfinished.join(", "));
    nextSteps.push("Finish or abort it before anything else");
  }
  const [behind, ahead] = (upstream[0] ?? "none").split(/\s+/).map(Number);
  if (behind > 0) {
    risks.push(plural(behind, "commit") + " of the upstream branch missing here");
    nextSteps.push("Bring in the upstream branch");
  }
  if (ahead > 0) findings.push(plural(ahead, "commit") + " not pushed");
  const spaces = Number(whitespace[0] ?? 0);
  if (spaces > 0) findings.push(plural(spaces, "whitespace or conflict error") + " in the change");
}

function lookAtContent({ conflicts, keys, collisions, marks, large }) {
  if (conflicts.length > 0) {
    risks.push("Conflict markers are in: " + listed(conflicts));
    nextSteps.push("Resolve the conflict markers");
  }
  if (keys.length > 0) {
    risks.push("Files that often hold secrets are tracked: " + listed(keys));
    nextSteps.push("Remove the secrets from the history and replace them");
  }
  if (collisions.length > 0) {
    risks.push("Names differ only in case, which breaks on macOS: " + listed(collisions));
    nextSteps.push("Rename one of each");
  }
  const heavy = counted(large).filter(({ count }) => count >= LARGE_BYTES);
  if (heavy.length > 0) findings.push("Files of a megabyte or more: " + names(heavy));
  const open = counted(marks);
  const total = open.reduce((sum, { count }) => sum + count, 0);
  if (total > 0) {
    const atLeast = open.length === ROWS ? "At least " : "";
    findings.push(atLeast + plural(total, "open mark") + " (TODO and such) in: " + names(open));
  }
  if (total >= MANY_OPEN_MARKS) {
    nextSteps.push("Go through the open marks, most of them in " + open[0].path);
  }
}

function lookAtTools({ tools, scripts, tests, files }) {
  const has = (pattern) => tools.some((name) => pattern.test(name));
  const named = new Set(
    [...scripts.join("\n").matchAll(/"([^"]+)"\s*:\s*"/g)].map(([, name]) => name),
  );
  const testFiles = Number(tests[0] ?? 0);
  const total = Number(files[0] ?? 0);
  findings.push(plural(total, "tracked file") + ", " + plural(testFiles, "file") + " of tests");
  if (testFiles === 0 && total > 0) {
    risks.push("No test files were found: nothing tells whether a change breaks something");
    nextSteps.push("Add a first test of the most changed file");
  }
  if (has(/^package\.json$/)) {
    if (!named.has("test")) nextSteps.push('Add a "test" script to package.json');
    const lints = [...named].some((name) => /lint|check|format/.test(name));
    if (!lints) findings.push("package.json has no script that lints or checks");
  }
  if (!has(/^(\.github|\.gitlab|\.circleci|\.ci$|Jenkinsfile)/)) {
    risks.push("No continuous integration was found");
    nextSteps.push("Run the tests on every push");
  }
  if (!has(/^README/)) nextSteps.push("Write a README");
  if (!has(/^LICENSE/)) findings.push("There is no LICENSE file");
}

function lookAtChurn({ churn }) {
  const hot = counted(churn).filter(({ path }) => !NOT_SOURCE.test(path));
  const [first] = hot;
  if (first !== undefined && first.count > 1) {
    const where = first.path + " (" + first.count + " of the last 500 commits)";
    risks.push("Changes most often, so breaks most often: " + where);
  }
  return hot;
}

const FILE_REVIEW = {
  type: "object",
  properties: {
    summary: { type: "string" },
    findings: { type: "array", items: { type: "string" } },
    risks: { type: "array", items: { type: "string" } },
  },
  required: ["summary", "findings", "risks"],
};

const SYNTHESIS = {
  type: "object",
  properties: {
    summary: { type: "string" },
    risks: { type: "array", items: { type: "string" } },
    next_steps: { type: "array", items: { type: "string" } },
  },
  required: ["summary", "risks", "next_steps"],
};

// Agents only add to the report: when they fail, what the commands found still stands.
async function askAgents(hot) {
  phase("review");
  const files = hot.slice(0, REVIEWED_FILES).map(({ path }) => path);
  const answers = await parallel(files, (path) =>
    agent(
      "Read the file " + JSON.stringify(path) + " of this repository and what it depends on. It" +
        " changes often. Say what is wrong or fragile in it, each point with a line number; leave" +
        " out matters of taste. Change nothing.",
      { label: "review " + path, mode: "read-only", schema: FILE_REVIEW },
    ),
  );
  const reviews = files
    .map((path, index) => ({ path, review: answers[index] }))
    .filter(({ review }) => review !== null);
  if (reviews.length < files.length) {
    notChecked.push("agents: " + plural(files.length - reviews.length, "review") + " failed");
  }
  if (reviews.length === 0) return { reviews };
  phase("synthesis");
  try {
    const synthesis = await agent(
      "Here is what commands and reviewers found out about a repository, as JSON. Say what" +
        " matters most and what to do first. Add nothing that is not in it.\n\n" +
        JSON.stringify({ findings, risks, reviews }),
      { label: "synthesis", mode: "read-only", schema: SYNTHESIS },
    );
    risks.push(...synthesis.risks);
    nextSteps.push(...synthesis.next_steps);
    return { reviews, synthesis: synthesis.summary };
  } catch (error) {
    notChecked.push("synthesis: " + error.message);
    return { reviews };
  }
}

phase("survey");
const state = await stateOfGit();
if (state !== "ready") {
  const reasons = {
    missing: "git is not installed",
    "no-repository": "this directory is no git repository that git accepts",
    "no-commits": "the repository has no commits yet",
  };
  findings.push("Little can be said: " + (reasons[state] ?? "the state of git is unknown"));
  nextSteps.push(state === "no-commits" ? "Make the first commit" : "Run this in a git repository");
  return report({ git: state });
}

const labels = Object.keys(SURVEY);
const answers = await parallel(labels, (label) => probe(label, SURVEY[label]));
/** @type {any} */
const survey = Object.fromEntries(labels.map((label, index) => [label, answers[index] ?? []]));
lookAtWork(survey);
lookAtContent(survey);
lookAtTools(survey);
const hot = lookAtChurn(survey);
log("survey:", plural(findings.length, "finding") + ",", plural(risks.length, "risk"));

const wantsAgents = args?.agents === true && hot.length > 0;
const fromAgents = wantsAgents ? await askAgents(hot) : {};
return report(
  {
    git: state,
    branch: survey.head[0] ?? null,
    commits_per_file: rowTexts(hot),
    bytes_per_file: rowTexts(counted(survey.large)),
    open_marks_per_file: rowTexts(counted(survey.marks)),
  },
  fromAgents,
);
