import { BRIEFING, IF_KNOWN, TEXTS } from "../templates/script-parts.ts";

export const SECURITY_AUDIT = `export const meta = {
  name: "security-audit",
  description: "Audit a repository or a change for security problems from four angles",
  phases: ["scope", "audit", "synthesize"],
};

// args.task says what to look at; without it the whole repository is.
const task = args?.task ?? "Audit this repository for security problems";
const ANGLES = [
  "auth-and-access-control",
  "data-and-secrets",
  "dependency-and-supply-chain",
  "test-and-regression-risk",
];
${TEXTS}

${IF_KNOWN}

phase("scope");
const preflight = await ifKnown("the preflight", pallium.preflight(task));
const changed = await ifKnown("what is changed", pallium.changedNow());
${BRIEFING}

phase("audit");
const audits = await parallel(ANGLES, (angle) =>
  agent(
    "Audit the repository you are in for security problems, from one angle only: " + angle +
      ". Report what an attacker could really do, with file and line as evidence. Never repeat a" +
      " secret that you find. Change nothing.\\n\\nTask: " + task +
      "\\n\\nWhat is known of the repository: " + briefing +
      "\\n\\nNot committed yet: " + JSON.stringify(changed?.files ?? []),
    {
      label: "security-" + angle,
      mode: "read-only",
      schema: {
        type: "object",
        properties: { findings: TEXTS, risks: TEXTS, evidence: TEXTS, next_steps: TEXTS },
        required: ["findings", "risks", "evidence", "next_steps"],
      },
    },
  ),
);

phase("synthesize");
const synthesis = await agent(
  "Put these security audits together: drop what has no evidence, put the gravest first and say" +
    " what to do. Change nothing.\\n\\nTask: " + task +
    "\\n\\nAudits: " + JSON.stringify(audits.filter((audit) => audit !== null)),
  {
    label: "security-synthesis",
    mode: "read-only",
    schema: {
      type: "object",
      properties: { verdict: { type: "string" }, top_findings: TEXTS, next_steps: TEXTS },
      required: ["verdict", "top_findings", "next_steps"],
    },
  },
);

return { preflight, changed, audits, synthesis };
`;
