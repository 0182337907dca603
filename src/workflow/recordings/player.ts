/** Answers in the place of agents from what was recorded. */
import { basename } from "node:path";
import { messageOf, PalliumError } from "../../lib/errors.ts";
import type { Git } from "../../platform/git/runner.ts";
import { sha256 } from "../../platform/hash.ts";
import type { ProviderResult } from "../../providers/contract.ts";
import type { Workspace } from "../edits/run-edits.ts";
import {
  type AskedRequest,
  askedFor,
  local,
  type PlacedCall,
  type RecordingPlace,
} from "./asked.ts";
import { patchOf, type RecordedFile, readRecordings } from "./folder.ts";
import { differences, keyText, type RecordedCall } from "./recording.ts";

export interface Player {
  /** @throws PalliumError `recording_missing` or `recording_invalid`, both end the run. */
  find(request: AskedRequest, call: PlacedCall): Promise<RecordedFile>;
  /** Does what the recorded call did to files, then answers as it did. */
  answer(file: RecordedFile, place: Workspace): Promise<ProviderResult>;
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
