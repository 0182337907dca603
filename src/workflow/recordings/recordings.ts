/** Records what agents answered, or answers in their place from what was recorded. */
import { basename, relative } from "node:path";
import { messageOf, PalliumError } from "../../lib/errors.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { Git } from "../../platform/git/runner.ts";
import { sha256 } from "../../platform/hash.ts";
import type { FailureOutcome, ProviderResult } from "../../providers/contract.ts";
import { createSecretScanner } from "../../secrets/scanner.ts";
import type { Workspace } from "../edits/run-edits.ts";
import { readPatch } from "../edits/trees/patch.ts";
import type { CallIdentity } from "../run/identity.ts";
import { patchOf, type RecordedFile, readRecordings, writeRecording } from "./folder.ts";
import {
  differences,
  keyText,
  RECORDED_FAILURES,
  type RecordedAnswer,
  type RecordedCall,
} from "./recording.ts";

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

/** Of trees: before and after. */
interface Change {
  readonly from: string;
  readonly to: string;
}

/** How a call ended, and what it did to files. */
export type RecordedEnd = {
  readonly edit?: { readonly capture: Change };
  readonly kept?: Change;
} & (
  | { readonly ok: true; readonly output: string }
  | {
      readonly ok: false;
      readonly outcome: FailureOutcome;
      readonly message: string;
      readonly output?: string;
    }
);

interface PlacedCall {
  readonly identity: CallIdentity;
}

export interface Recorder {
  /**
   * Puts on file how a call ended, secrets taken out.
   * @returns why it was not recorded; `undefined` where it was.
   */
  record(
    request: AskedRequest,
    call: PlacedCall,
    place: Workspace,
    result: RecordedEnd,
  ): Promise<string | undefined>;
}

export interface Player {
  /** @throws PalliumError `recording_missing` or `recording_invalid`, both end the run. */
  find(request: AskedRequest, call: PlacedCall): Promise<RecordedFile>;
  /** Does what the recorded call did to files, then answers as it did. */
  answer(file: RecordedFile, place: Workspace): Promise<ProviderResult>;
}

export function createRecorder({ folder, cwd }: RecordingPlace): Recorder {
  const scanner = createSecretScanner();
  const lines = async (text: string) => portable(await scanner.redact(text, "answer"), cwd);
  return {
    async record(request, { identity }, place, result) {
      if (!result.ok && !RECORDED_FAILURES.includes(result.outcome)) {
        return `it ended as ${result.outcome}`;
      }
      const asked = askedFor(request, cwd);
      const patch = await patchBytes(place, result);
      if (patch !== undefined) {
        const { findings } = await scanner.scanDiff(patch.toString("utf8"));
        if (findings.length > 0) return "what it did to files looks like it holds a secret";
      }
      const call = { ...asked, prompt: await lines(request.prompt) };
      const output = result.output === undefined ? undefined : await lines(result.output);
      const answer: RecordedAnswer = result.ok
        ? { ok: true, text: output ?? [] }
        : {
            ok: false,
            outcome: result.outcome,
            message: await scanner.redact(result.message, "answer"),
            ...(output === undefined ? {} : { text: output }),
          };
      const { scope, occurrence } = identity;
      const key = sha256(keyText(asked));
      await writeRecording(
        folder,
        { version: 1, key, scope, occurrence, call, answer, patch: patch !== undefined },
        patch,
      );
      return undefined;
    },
  };
}

export function createPlayer({ folder, cwd }: RecordingPlace, git: Git): Player {
  let files: Promise<readonly RecordedFile[]> | undefined;
  const used = new Set<string>();
  return {
    async find(request, { identity }) {
      files ??= readRecordings(folder);
      const all = await files;
      const asked = askedFor(request, cwd);
      const key = sha256(keyText(asked));
      const fits = all.filter(({ name, recording }) => recording.key === key && !used.has(name));
      const found =
        fits.find(
          ({ recording: { scope, occurrence } }) =>
            scope === identity.scope && occurrence === identity.occurrence,
        ) ?? fits[0];
      if (found === undefined) throw missing(folder, asked, all, used);
      used.add(found.name);
      return found;
    },
    async answer(file, place) {
      const { answer, patch } = file.recording;
      if (patch) {
        const failure = await applyPatch(git, patchOf(folder, file), place);
        if (failure !== undefined) return { ok: false, outcome: "failed", message: failure };
      }
      if (answer.ok) return { ok: true, text: local(answer.text, cwd) };
      const { outcome, message, text } = answer;
      const output = text === undefined ? {} : { output: local(text, cwd) };
      return { ok: false, outcome, message, ...output };
    },
  };
}

function portable(text: string, cwd: string): readonly string[] {
  return text.replaceAll(cwd, RUN_DIRECTORY).split("\n");
}

function local(lines: readonly string[], cwd: string): string {
  return lines.join("\n").replaceAll(RUN_DIRECTORY, () => cwd);
}

function askedFor(request: AskedRequest, cwd: string): RecordedCall {
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

/** What a call did to files, as git writes it; `undefined` where it did nothing. */
async function patchBytes(
  { repo }: Workspace,
  { edit, kept }: RecordedEnd,
): Promise<Buffer | undefined> {
  const change = edit?.capture ?? kept;
  if (repo === undefined || change === undefined || change.from === change.to) return undefined;
  return Buffer.concat(await Array.fromAsync(readPatch(repo.store, change.from, change.to)));
}

/** @returns why it could not be done. */
async function applyPatch(
  git: Git,
  path: string,
  { worktree }: Workspace,
): Promise<string | undefined> {
  const name = basename(path);
  if (worktree === undefined) return `the recorded edit ${name} needs a git repository to go to`;
  try {
    await git.run(["apply", "--binary", "--whitespace=nowarn", path], { cwd: worktree.root });
    return undefined;
  } catch (error) {
    return `the recorded edit ${name} does not fit these files, record it again: ${messageOf(error)}`;
  }
}

function missing(
  folder: string,
  asked: RecordedCall,
  all: readonly RecordedFile[],
  used: ReadonlySet<string>,
): PalliumError {
  const [prompt = ""] = asked.prompt;
  const what = asked.label || `${asked.primitive}(${JSON.stringify(prompt.slice(0, 60))})`;
  return new PalliumError(
    "recording_missing",
    `no recording in ${folder} answers the call ${what}; ${nearest(asked, all, used)}`,
    { fatal: true, hints: ["run the workflow with --record and commit what it writes"] },
  );
}

/** Says which recording comes next to a call, and what keeps it from being its answer. */
function nearest(
  asked: RecordedCall,
  all: readonly RecordedFile[],
  used: ReadonlySet<string>,
): string {
  const ranked = all
    .map(({ name, recording: { call } }) => {
      const different = differences(asked, call);
      return { name, different, distance: different.length - (call.label === asked.label ? 1 : 0) };
    })
    .sort((a, b) => a.distance - b.distance);
  const [first] = ranked;
  if (first === undefined) return "there are none";
  if (first.different.length === 0 && used.has(first.name)) {
    return `${first.name} has answered an equal call already`;
  }
  return `the nearest is ${first.name}, which differs in ${first.different.join(", ") || "a secret of its prompt"}`;
}
