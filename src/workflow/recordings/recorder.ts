/** Records what agents answered, and what they did to files. */
import { sha256 } from "../../platform/hash.ts";
import type { FailureOutcome } from "../../providers/contract.ts";
import { createSecretScanner } from "../../secrets/scanner.ts";
import type { Workspace } from "../edits/run-edits.ts";
import { readPatch } from "../edits/trees/patch.ts";
import {
  type AskedRequest,
  askedFor,
  type PlacedCall,
  portable,
  type RecordingPlace,
} from "./asked.ts";
import { writeRecording } from "./folder.ts";
import { keyText, RECORDED_FAILURES, type RecordedAnswer } from "./recording.ts";

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
      const { findings } = await scanner.scanText(JSON.stringify(asked.schema), "schema");
      if (findings.length > 0) return "its schema looks like it holds a secret";
      const label = await scanner.redact(request.label, "label");
      const call = { ...asked, label, prompt: await lines(request.prompt) };
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

/** What a call did to files, as git writes it; `undefined` where it did nothing. */
async function patchBytes(
  { repo }: Workspace,
  { edit, kept }: RecordedEnd,
): Promise<Buffer | undefined> {
  const change = edit?.capture ?? kept;
  if (repo === undefined || change === undefined || change.from === change.to) return undefined;
  return Buffer.concat(await Array.fromAsync(readPatch(repo.store, change.from, change.to)));
}
