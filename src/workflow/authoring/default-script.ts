/** The script of a run that was given a task and nothing else: one agent plans, one verifies. */
export function defaultScript(task: string): string {
  const text = JSON.stringify(task);
  return `export const meta = {
  name: "generated",
  description: "Plan the task, then have the plan verified",
  phases: ["plan", "verify"],
};

const task = ${text};

phase("plan");
const plan = await agent(
  "Make a plan for this task. Read what you need, change nothing.\\n\\nTask: " + task,
  {
    label: "planner",
    mode: "read-only",
    schema: {
      type: "object",
      properties: {
        summary: { type: "string" },
        steps: { type: "array", items: { type: "string" } },
        risks: { type: "array", items: { type: "string" } },
      },
      required: ["summary", "steps", "risks"],
    },
  },
);

phase("verify");
const verified = await agent(
  "Check this plan against the repository. Say what is wrong or missing; change nothing.\\n\\nTask: " +
    task +
    "\\n\\nPlan: " +
    JSON.stringify(plan),
  {
    label: "verifier",
    mode: "read-only",
    schema: {
      type: "object",
      properties: {
        verdict: { type: "string" },
        notes: { type: "array", items: { type: "string" } },
      },
      required: ["verdict", "notes"],
    },
  },
);

return { plan, verified };
`;
}
