/** What a call asks for, in words that hold on any machine. */
import { relative } from "node:path";
import type { JsonObject } from "../../lib/json.ts";
import type { CallIdentity } from "../run/identity.ts";
import type { RecordedCall } from "./recording.ts";

/** Stands for the directory of the run in what is recorded. */
const RUN_DIRECTORY = "<run-directory>";

export interface RecordingPlace {
  /** Absolute folder of the recordings. */
  readonly folder: string;
  /** Absolute directory of the run. */
  readonly cwd: string;
}

/** The part of a request that makes its answer what it is. */
export interface AskedRequest extends Omit<RecordedCall, "prompt" | "schema"> {
  readonly prompt: string;
  readonly schema?: JsonObject;
}

export interface PlacedCall {
  readonly identity: CallIdentity;
}

/** The lines of a text, the directory of the run left out. */
export function portable(text: string, cwd: string): readonly string[] {
  return text.replaceAll(cwd, RUN_DIRECTORY).split("\n");
}

/** The text that `portable` was given, in the directory of this run. */
export function local(lines: readonly string[], cwd: string): string {
  return lines.join("\n").replaceAll(RUN_DIRECTORY, () => cwd);
}

export function askedFor(request: AskedRequest, cwd: string): RecordedCall {
  const { primitive, label, provider, model, effort, mode, isolation, repo, schema } = request;
  return {
    primitive,
    label,
    provider: provider === "default" ? "" : provider,
    model,
    effort,
    mode,
    isolation,
    repo: relative(cwd, repo) || ".",
    schema: schema ?? null,
    prompt: portable(request.prompt, cwd),
  };
}
