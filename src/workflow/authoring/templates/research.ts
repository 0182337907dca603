import { TEXTS } from "./script-parts.ts";

/** Agents research a question from three sides; one checks their claims against each other. */
export function researchScript(task: string): string {
  return `export const meta = {
  name: "research",
  description: "Research from several angles, then check the claims against each other",
  phases: ["research", "verify", "synthesize"],
};

const task = ${JSON.stringify(task)};
const ANGLES = ["source-discovery", "implementation-patterns", "risks-and-gaps"];
${TEXTS}

phase("research");
const reports = await pipeline(ANGLES, (angle) =>
  agent(
    "Research this task from one angle only: " + angle + ". Name the source of every claim: a" +
      " file with line, or a document. Say what stays open. Change nothing.\\n\\nTask: " + task,
    {
      label: angle,
      mode: "read-only",
      schema: {
        type: "object",
        properties: {
          angle: { type: "string" },
          claims: TEXTS,
          sources: TEXTS,
          open_questions: TEXTS,
        },
        required: ["angle", "claims", "sources", "open_questions"],
      },
    },
  ),
);

phase("verify");
const verification = await agent(
  "Check these research reports against each other and against their sources. Correct what is" +
    " wrong, and name the sources that carry most. Change nothing.\\n\\nTask: " + task +
    "\\n\\nReports: " + JSON.stringify(reports.filter((report) => report !== null)),
  {
    label: "cross-checker",
    mode: "read-only",
    schema: {
      type: "object",
      properties: {
        verdict: { type: "string" },
        corrections: TEXTS,
        strongest_sources: TEXTS,
      },
      required: ["verdict", "corrections", "strongest_sources"],
    },
  },
);

phase("synthesize");
log("verdict:", verification.verdict);
return { reports, verification };
`;
}
