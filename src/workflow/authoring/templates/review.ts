import { BRIEFING, IF_KNOWN, TEXTS } from "./script-parts.ts";

const BODY = `const ANGLES = ["correctness", "regression-risk", "verification-plan"];
${TEXTS}

${IF_KNOWN}

phase("scope");
const preflight = await ifKnown("the preflight", pallium.preflight(task));
${BRIEFING}

phase("inspect");
const reviews = await pipeline(ANGLES, (angle) =>
  agent(
    "Review the repository you are in for this task, from one angle only: " + angle +
      ". Give findings with file and line, and only what you have verified in the code." +
      " Change nothing.\\n\\nTask: " + task + "\\n\\nWhat is known of the repository: " + briefing,
    {
      label: angle,
      mode: "read-only",
      schema: {
        type: "object",
        properties: {
          angle: { type: "string" },
          findings: TEXTS,
          risks: TEXTS,
          next_steps: TEXTS,
        },
        required: ["angle", "findings", "risks", "next_steps"],
      },
    },
  ),
);
const drift = await ifKnown("the review of the change", pallium.review());

phase("synthesize");
const summary = await agent(
  "Put these reviews together: drop what is repeated or not backed by the code, and put the most" +
    " important first. Change nothing.\\n\\nTask: " + task +
    "\\n\\nReviews: " + JSON.stringify(reviews.filter((review) => review !== null)),
  {
    label: "synthesizer",
    mode: "read-only",
    schema: {
      type: "object",
      properties: {
        decision: { type: "string" },
        top_findings: TEXTS,
        next_prompt: { type: "string" },
      },
      required: ["decision", "top_findings", "next_prompt"],
    },
  },
);

return { preflight, reviews, drift, summary };
`;

/** Agents look at the repository from three sides; one puts together what they found. */
export function reviewScript(task: string): string {
  return `export const meta = {
  name: "review",
  description: "Review from several angles, grounded in what the repository knows of itself",
  phases: ["scope", "inspect", "synthesize"],
};

const task = ${JSON.stringify(task)};
${BODY}`;
}
