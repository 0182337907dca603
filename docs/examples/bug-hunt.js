// Hunts for bugs in rounds until rounds bring nothing new, the rounds are used up or the money
// runs low. Every new report is confirmed by a second agent before it counts.
//
//   pallium workflow run --script docs/examples/bug-hunt.js --max-budget-usd 2 \
//     --args '{"scope":"src/auth","rounds":4}'
export const meta = {
  name: "bug-hunt",
  description: "Look for bugs in rounds until a dry spell or the end of the budget",
  phases: ["hunt", "confirm"],
};

const SCOPE = args?.scope ?? "the whole repository";
const MOST_ROUNDS = args?.rounds ?? 5;
const DRY_ROUNDS = 2;
// Part of the budget that is kept back, so that what was found can still be confirmed.
const RESERVE = 0.25;

const HUNTERS = [
  "wrong results: conditions, limits, off by one, missing cases",
  "failures: errors that are swallowed, resources that leak, states left half-changed",
  "concurrency and order: races, stale data, assumptions about time",
];

const REPORTS = {
  type: "object",
  properties: {
    bugs: {
      type: "array",
      items: {
        type: "object",
        properties: {
          file: { type: "string" },
          line: { type: "integer" },
          bug: { type: "string" },
        },
        required: ["file", "line", "bug"],
      },
    },
  },
  required: ["bugs"],
};

const CONFIRMATION = {
  type: "object",
  properties: { real: { type: "boolean" }, how: { type: "string" } },
  required: ["real", "how"],
};

const seen = new Map();
const confirmed = [];
let unconfirmed = 0;

// The same place is the same bug, whatever it is called.
function newBugs(answers) {
  const found = [];
  for (const bug of answers.flatMap((answer) => answer?.bugs ?? [])) {
    const key = bug.file + ":" + bug.line;
    if (seen.has(key)) continue;
    seen.set(key, bug);
    found.push(bug);
  }
  return found;
}

function hunt(known) {
  const places = known.map(({ file, line, bug }) => file + ":" + line + " " + bug);
  return parallel(HUNTERS, (kind, index) =>
    agent(
      "Look for bugs in " + SCOPE + " of the repository you are in, of this kind: " + kind + "." +
        " Report only what you can point to. Change no file.\n\nAlready known, do not repeat: " +
        JSON.stringify(places),
      { label: "hunter " + (index + 1), mode: "read-only", schema: REPORTS },
    ),
  );
}

async function confirm(bugs) {
  const answers = await parallel(bugs, (bug) =>
    agent(
      "Is this a real bug? Follow the code and say which input or order of events shows it, or" +
        " why nothing can. Change no file.\n\n" + JSON.stringify(bug),
      { label: "confirm " + bug.file + ":" + bug.line, mode: "read-only", schema: CONFIRMATION },
    ),
  );
  for (const [index, answer] of answers.entries()) {
    if (answer === null) unconfirmed += 1;
    else if (answer.real) confirmed.push({ ...bugs[index], how: answer.how });
  }
}

function moneyIsLow() {
  const { total } = budget;
  const left = budget.remaining();
  return total !== null && left !== null && left < total * RESERVE;
}

let dry = 0;
let round = 0;
while (round < MOST_ROUNDS && dry < DRY_ROUNDS && !moneyIsLow()) {
  round += 1;
  phase("hunt");
  const bugs = newBugs(await hunt([...seen.values()]));
  dry = bugs.length === 0 ? dry + 1 : 0;
  log("round", round + ":", bugs.length, "new");
  phase("confirm");
  await confirm(bugs);
}

const ended = dry >= DRY_ROUNDS ? "dry" : round >= MOST_ROUNDS ? "rounds" : "budget";
return { confirmed, reported: seen.size, unconfirmed, rounds: round, ended, spent: budget.spent() };
