/** The scripts that labs disturb. */

export interface LabScript {
  readonly source: string;
  readonly calls: number;
  /** How often each label is in the ledger of an undisturbed run, where that is not once. */
  readonly starts: Readonly<Record<string, number>>;
}

const ASK = `const ask = (label) => agent("do " + label, { label });
const object = { type: "object", properties: { ok: { type: "boolean" } } };
`;

/** Branches of unequal length, equal calls, a schema that costs a second attempt, and a check. */
export const FORTY_CALLS: LabScript = {
  calls: 40,
  starts: { same: 3, lone: 2 },
  source: `${ASK}
const chain = async (labels) => {
  const answers = [];
  for (const label of labels) answers.push(await ask(label));
  return answers;
};
phase("fan out");
const first = await Promise.all([
  parallel(["a1", "a2", "a3", "a4", "a5", "a6", "a7"], ask),
  pipeline(
    ["p1", "p2", "p3", "p4"],
    (item) => ask(item + ".x"),
    (_, item) => ask(item + ".y"),
    (before, item) => (item === "p2" ? before : ask(item + ".z")),
  ),
  chain(["s1", "s2", "s3", "s4", "s5"]),
]);
phase("mix");
const second = await Promise.all([
  parallel(["m1", "m2"], (item) => chain([item + "-1", item + "-2"])),
  parallel(["n1", "n2", "n3"], ask),
  agent("do lone", { label: "lone", schema: object }),
  Promise.all(["q1", "q2", "q3", "q4"].map(ask)),
  Promise.all([ask("same"), ask("same"), ask("same")]),
]);
phase("end");
const { ok, output_tail } = await check(CHECK, { label: "check" });
return { first, second, ok, output_tail, last: await ask("last") };
`,
};

/** A little of each. */
export const TEN_CALLS: LabScript = {
  calls: 10,
  starts: { same: 2, lone: 2 },
  source: `${ASK}
phase("fan out");
const first = await Promise.all([
  parallel(["a1", "a2", "a3"], ask),
  pipeline(["p1"], (item) => ask(item + ".x"), (_, item) => ask(item + ".y")),
  agent("do lone", { label: "lone", schema: object }),
  Promise.all([ask("same"), ask("same")]),
]);
const { ok } = await check(CHECK, { label: "check" });
return { first, ok, last: await ask("last") };
`,
};
