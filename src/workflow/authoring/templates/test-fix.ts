import { IF_KNOWN } from "./script-parts.ts";

export interface FixLoop {
  readonly task: string;
  /** Shell command whose exit status is the truth. */
  readonly command: string;
  readonly maxRounds: number;
}

/** Fixes until a command succeeds, which the command itself decides. */
export function testFixScript({ task, command, maxRounds }: FixLoop): string {
  return `export const meta = {
  name: "test-fix",
  description: "Fix until a command succeeds, then review and hand over",
  phases: ["scope", "baseline", "fix-loop", "finalize"],
};

const task = ${JSON.stringify(task)};
const command = ${JSON.stringify(command)};

${IF_KNOWN}

phase("scope");
await ifKnown("the declared task", pallium.task.start(task));

phase("baseline");
const baselineContext = await ifKnown("the preflight", pallium.preflight(task));

phase("fix-loop");
const verification = await verify.untilGreen(command, { label: "fix-loop", maxRounds: ${maxRounds} });

phase("finalize");
const finalReview = await ifKnown("the review of the change", pallium.review());
const handoff = await ifKnown("the handoff", pallium.handoff("HEAD~1"));

return { task, baselineContext, verification, finalReview, handoff };
`;
}
