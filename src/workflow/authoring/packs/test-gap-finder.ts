import { BRIEFING, IF_KNOWN, TEXTS } from "../templates/script-parts.ts";

export const TEST_GAP_FINDER = `export const meta = {
  name: "test-gap-finder",
  description: "Find what no test would notice, most of all in what changed",
  phases: ["scope", "inspect", "report"],
};

// args.task says what to look at; without it what is changed is.
const task = args?.task ?? "Find what the tests of this repository do not cover";
const ANGLES = ["changed-files", "risky-neighbors", "missing-assertions", "verification-plan"];
${TEXTS}

${IF_KNOWN}

phase("scope");
const preflight = await ifKnown("the preflight", pallium.preflight(task));
const changed = await ifKnown("what is changed", pallium.changedNow());
${BRIEFING}

phase("inspect");
const inspections = await parallel(ANGLES, (angle) =>
  agent(
    "Look for gaps in the tests of the repository you are in, from one angle only: " + angle +
      ". A gap is a mistake in the code that no test would notice: name the code and the test" +
      " that is missing. Change nothing.\\n\\nTask: " + task +
      "\\n\\nWhat is known of the repository: " + briefing +
      "\\n\\nNot committed yet: " + JSON.stringify(changed?.files ?? []),
    {
      label: "test-gap-" + angle,
      mode: "read-only",
      schema: {
        type: "object",
        properties: { gaps: TEXTS, evidence: TEXTS, suggested_tests: TEXTS },
        required: ["gaps", "evidence", "suggested_tests"],
      },
    },
  ),
);

phase("report");
const report = await agent(
  "Put these inspections together: drop what is repeated or covered after all, and put the tests" +
    " that are worth most first. Change nothing.\\n\\nTask: " + task +
    "\\n\\nInspections: " + JSON.stringify(inspections.filter((one) => one !== null)),
  {
    label: "test-gap-synthesis",
    mode: "read-only",
    schema: {
      type: "object",
      properties: { summary: { type: "string" }, top_gaps: TEXTS, next_tests: TEXTS },
      required: ["summary", "top_gaps", "next_tests"],
    },
  },
);

return { preflight, changed, inspections, report };
`;
