import { BRIEFING, IF_KNOWN, TEXTS } from "../templates/script-parts.ts";

export const MIGRATION_ASSISTANT = `export const meta = {
  name: "migration-assistant",
  description: "Plan a migration, carry it out in working trees of its own, and fix until green",
  phases: ["scope", "plan", "implement", "verify"],
};

// args.task says what to migrate; args.testCommand decides whether it went well.
const task = args?.task ?? "Carry out the migration that this repository has begun";
const command = args?.testCommand ?? "pallium verify fast";
${TEXTS}
const REPORT = {
  type: "object",
  properties: { summary: { type: "string" }, changed_files: TEXTS, open_points: TEXTS },
  required: ["summary", "changed_files", "open_points"],
};

${IF_KNOWN}

phase("scope");
await ifKnown("the declared task", pallium.task.start(task));
const preflight = await ifKnown("the preflight", pallium.preflight(task));
${BRIEFING}
const decision = await pallium.decisions.record(
  "Migration: " + task,
  "Carried out by the workflow migration-assistant; " + command + " decides whether it went well.",
  "migration",
);

phase("plan");
const plan = await agent(
  "Plan this migration in small steps that each leave the repository working. Change nothing." +
    "\\n\\nTask: " + task + "\\n\\nWhat is known of the repository: " + briefing,
  {
    label: "migration-plan",
    mode: "read-only",
    schema: {
      type: "object",
      properties: { summary: { type: "string" }, steps: TEXTS, risks: TEXTS },
      required: ["summary", "steps", "risks"],
    },
  },
);

phase("implement");
const context = "\\n\\nTask: " + task + "\\n\\nPlan: " + JSON.stringify(plan);
const edit = { mode: "edit", isolation: "worktree", schema: REPORT };
const changes = await parallel([
  () =>
    agent(
      "Carry out the mechanical part of this migration in the source. Leave tests, fixtures and" +
        " documents to others." + context,
      { label: "migration-mechanical-changes", ...edit },
    ),
  () =>
    agent(
      "Bring the tests and fixtures in line with this migration. Weaken no test; leave the source" +
        " to others." + context,
      { label: "migration-tests-and-fixtures", ...edit },
    ),
  () =>
    agent(
      "Say which documents this migration makes wrong and what they should say, and what whoever" +
        " takes it over has to know. Change nothing." + context,
      { label: "migration-docs-and-handoff", mode: "read-only", schema: REPORT },
    ),
]);

phase("verify");
const verification = await verify.untilGreen(command, { label: "migration-verify", maxRounds: 3 });
const handoff = await ifKnown("the handoff", pallium.handoff());

return { preflight, decision, plan, changes, verification, handoff };
`;
