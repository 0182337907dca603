import { PalliumError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import { readStdin } from "../../../platform/stdin.ts";
import { PATCH_LIMIT, patchTooLarge } from "../../../workflow/reports/secrets.ts";
import type { Command } from "../../command.ts";
import { secretsFound, secretsText } from "../../views/secrets.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "secrets",
  summary: operations["workflow.secrets"].summary,
  positionals: "<run-id|patch-file|->",
  arity: [1, 1],
  args: STORE_ARGS,
  operation: "workflow.secrets",
  examples: [
    "git diff --binary main | pallium workflow secrets -",
    "pallium workflow secrets ./changes.patch --json",
  ],
  async run(args, context) {
    const [subject = ""] = args.rest;
    const patch = subject === "-" ? await patchFromStdin() : undefined;
    const scan = await operations["workflow.secrets"].call(
      await context.services(),
      { ...storeOf(args), subject, patch },
      observerOf(context),
    );
    const document = { data: asJson(scan), text: secretsText(scan) };
    if (scan.findings.length === 0) return document;
    const error = new PalliumError("secrets_found", secretsFound(scan), {
      hints: ["take them out of the change; replace those that others may have seen"],
    });
    return { ...document, error };
  },
};

async function patchFromStdin(): Promise<string> {
  const { text, omittedBytes } = await readStdin(PATCH_LIMIT);
  if (omittedBytes > 0) throw patchTooLarge("-");
  return text;
}
