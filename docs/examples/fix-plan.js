// Runs the tests and asks one agent per failure for its cause and the smallest fix. Nothing is
// edited: the answer is a plan.
//
//   pallium workflow run --script docs/examples/fix-plan.js --args '{"command":"npm test"}'
//
// args.command is the command that must pass; without it the usual one of the project.
// args.most is how many failures are looked into, 5 if absent.
export const meta = {
  name: "fix-plan",
  description: "Run the tests, then let an agent explain each failure and propose a fix",
  phases: ["check", "explain"],
};

const MOST_FAILURES = args?.most ?? 5;

const PROPOSAL = {
  type: "object",
  properties: {
    cause: { type: "string" },
    fix: { type: "string" },
    files: { type: "array", items: { type: "string" } },
    confidence: { type: "string", enum: ["high", "medium", "low"] },
  },
  required: ["cause", "fix", "files", "confidence"],
};

async function usualCommand() {
  const found = await check(
    "if [ -f package.json ]; then echo npm test; elif [ -f go.mod ]; then echo go test ./...;" +
      " elif [ -f Cargo.toml ]; then echo cargo test; elif [ -f pom.xml ]; then echo mvn -q test;" +
      " elif [ -f pyproject.toml ] || [ -f setup.py ]; then echo python3 -m pytest; fi",
    { label: "usual test command" },
  );
  return found.output_tail.trim();
}

phase("check");
const command = args?.command ?? (await usualCommand());
if (command === "") return { ok: false, summary: "Name the test command as args.command" };

const tests = await check(command, { label: "tests" });
log(tests.summary);
if (tests.ok) return { ok: true, summary: tests.summary, plan: [] };

phase("explain");
const failures = tests.failures.slice(0, MOST_FAILURES);
const proposals = await parallel(failures, (failure) =>
  agent(
    "A check of the repository you are in fails. Find the cause and propose the smallest correct" +
      " fix. Do not propose to skip or weaken the test. Change no file.\n\nCommand: " +
      JSON.stringify(command) + "\nFailure: " + JSON.stringify(failure),
    { label: "explain " + failure.name.slice(0, 60), mode: "read-only", schema: PROPOSAL },
  ),
);

return {
  ok: false,
  summary: tests.summary,
  plan: failures.map((failure, index) => ({ failure, proposal: proposals[index] })),
  failures_not_looked_into: tests.failures.slice(MOST_FAILURES).map(({ name }) => name),
};
