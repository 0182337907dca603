/** The script of the soak of background runs: its calls, who answers them, and what must come out. */
import { provider } from "../workflow.ts";

const COMMON = ["a1", "a2", "a3", "a4", "p1.x", "p1.y", "p2.x", "p2.y", "last"];
/** What a stub cannot do. */
const REAL = ["check", "edit"];

const SOURCE = `const stopped = (error) => error.code;
const ask = (label, options) => agent("do " + label, { label, ...options }).catch(stopped);
phase("fan out");
const first = await parallel(["a1", "a2", "a3", "a4"], (label) => ask(label));
phase("chain");
const second = await pipeline(
  ["p1", "p2"],
  async (item) => [await ask(item + ".x")],
  async (before, item) => [...before, await ask(item + ".y")],
);
phase("end");
const last = await ask("last");
`;
const REAL_SOURCE = `const checked = await check("sleep 0.1; echo checked", { label: "check" })
  .then(({ ok }) => ok, stopped);
const edited = await ask("edit", { mode: "edit" });
return { first, second, last, checked, edited };
`;
const STUB_SOURCE = `return { first, second, last };
`;

/** Works for as long as the environment says; one that edits leaves a file that is named after its run. */
const COMMAND = `sleep "$SOAK_PAUSE"
if [ "$PALLIUM_WORKFLOW_MODE" = edit ]; then echo "$PALLIUM_WORKFLOW_RUN_ID" >"$PALLIUM_WORKFLOW_RUN_ID.txt"; fi
sleep 0.0$(($$ % 10)); echo "done $PALLIUM_WORKFLOW_LABEL"`;

/** Has every agent work for about so long. */
export function pace(ms: number): Record<string, string> {
  return { SOAK_PAUSE: String(ms / 1000), PALLIUM_WORKFLOW_AGENT_STUB_DELAY_MS: String(ms) };
}

export interface BackgroundScript {
  readonly source: string;
  readonly labels: readonly string[];
  /** What its processes are started with. */
  readonly env: Readonly<Record<string, string>>;
  /** The result, where these calls were stopped alone and the others were done. */
  result(stopped: ReadonlySet<string>): object;
}

/** Its agents are commands, and one of them edits. */
export const REAL_SCRIPT: BackgroundScript = {
  source: SOURCE + REAL_SOURCE,
  labels: [...COMMON, ...REAL],
  env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", COMMAND) },
  result: (stopped) => {
    const answer = answers(stopped, (label) => `done ${label}`);
    const checked = stopped.has("check") ? "agent_stopped" : true;
    return { ...common(answer), checked, edited: answer("edit") };
  },
};

export const STUB_SCRIPT: BackgroundScript = {
  source: SOURCE + STUB_SOURCE,
  labels: COMMON,
  env: {
    PALLIUM_WORKFLOW_AGENT_STUB: "stub: {{PROMPT}}",
  },
  result: (stopped) => common(answers(stopped, (label) => `stub: do ${label}`)),
};

type Answers = (label: string) => string;

function answers(stopped: ReadonlySet<string>, done: Answers): Answers {
  return (label) => (stopped.has(label) ? "agent_stopped" : done(label));
}

function common(answer: Answers) {
  return {
    first: ["a1", "a2", "a3", "a4"].map(answer),
    second: ["p1", "p2"].map((item) => [answer(`${item}.x`), answer(`${item}.y`)]),
    last: answer("last"),
  };
}
