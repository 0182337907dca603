/** The stub: stands in for every provider while `PALLIUM_WORKFLOW_AGENT_STUB` is set. For tests and dry runs. */
import { PalliumError } from "../lib/errors.ts";
import { parseJson } from "../lib/json.ts";
import { writeInside } from "../platform/confined-write.ts";
import { sleep } from "../platform/sleep.ts";
import type { AgentTask, InlineProvider } from "./contract.ts";

export interface Stub {
  /** The stub in the place of the provider called `name`; all of them count calls together. */
  as(name: string): InlineProvider;
}

interface StubSettings {
  readonly text: string;
  readonly sequence: readonly string[];
  readonly delayMs: number;
  readonly writeFile: string;
  readonly writeContent: string;
}

/**
 * The stub that the environment asks for; `undefined` where it asks for none.
 * @throws PalliumError `stub_invalid`
 */
export function createStub(variables: Readonly<Record<string, string>>): Stub | undefined {
  const settings = stubSettings(variables);
  if (settings === undefined) return undefined;
  let calls = 0;
  return {
    as: (name) => ({
      kind: "inline",
      name,
      answer: async (task, signal) => {
        const text = settings.sequence[Math.min(calls, settings.sequence.length - 1)];
        calls += 1;
        if (settings.delayMs > 0) await sleep(settings.delayMs, signal);
        signal.throwIfAborted();
        await writeStubFile(settings, task);
        return { ok: true, text: withPrompt(text ?? settings.text, task) };
      },
    }),
  };
}

function stubSettings(variables: Readonly<Record<string, string>>): StubSettings | undefined {
  const text = variables.PALLIUM_WORKFLOW_AGENT_STUB;
  if (!text) return undefined;
  return {
    text,
    sequence: stubSequence(variables.PALLIUM_WORKFLOW_AGENT_STUB_SEQUENCE),
    delayMs: stubDelay(variables.PALLIUM_WORKFLOW_AGENT_STUB_DELAY_MS),
    writeFile: variables.PALLIUM_WORKFLOW_AGENT_STUB_WRITE_FILE ?? "",
    writeContent: variables.PALLIUM_WORKFLOW_AGENT_STUB_WRITE_CONTENT ?? "",
  };
}

function stubSequence(json: string | undefined): readonly string[] {
  if (!json) return [];
  const list = parseJson(json);
  if (Array.isArray(list) && list.every((entry) => typeof entry === "string")) return list;
  throw new PalliumError(
    "stub_invalid",
    "PALLIUM_WORKFLOW_AGENT_STUB_SEQUENCE must be a JSON array of strings",
    { hints: ['such as ["first answer","second answer"]; or unset it'] },
  );
}

function stubDelay(text: string | undefined): number {
  if (!text) return 0;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new PalliumError(
    "stub_invalid",
    "PALLIUM_WORKFLOW_AGENT_STUB_DELAY_MS must be a whole number of milliseconds",
    { hints: ["such as 250; or unset it"] },
  );
}

function withPrompt(text: string, task: AgentTask): string {
  return text.replaceAll("{{PROMPT}}", () => task.prompt);
}

async function writeStubFile(settings: StubSettings, task: AgentTask): Promise<void> {
  if (settings.writeFile === "") return;
  await writeInside(task.cwd, settings.writeFile, withPrompt(settings.writeContent, task));
}
