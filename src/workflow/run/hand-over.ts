/** A planned run as a text, for the process that executes it in the place of this one. */
import { parseJson } from "../../lib/json.ts";
import { type PlannedRun, scriptSource } from "./request.ts";

type HandedOver = Omit<PlannedRun, "script" | "args"> & {
  readonly script: Pick<PlannedRun["script"], "name" | "text">;
};

/** What was found sound is what is executed: the script goes along, whatever becomes of its file. */
export function handOver({ args: _, script: { name, text }, ...plan }: PlannedRun): string {
  const handed: HandedOver = { ...plan, script: { name, text } };
  return JSON.stringify(handed);
}

export async function takeHandedOver(text: string): Promise<PlannedRun> {
  const handed = JSON.parse(text) as HandedOver;
  const { argsJson, script } = handed;
  return {
    ...handed,
    script: await scriptSource(script.text, script.name),
    args: argsJson === null ? null : (parseJson(argsJson) ?? null),
  };
}
