/**
 * `verify.untilGreen(command, options)`: checks, and has an agent fix what fails, in one working tree,
 * until the check passes, no fix helps, or the rounds are over. What it came to is merged with the
 * other edits only where it is green and the check itself was left as it was.
 */
import { PalliumError } from "../../lib/errors.ts";
import { canonicalJson, isRecord, type Json, type JsonObject } from "../../lib/json.ts";
import { visibleName } from "../../lib/visible-name.ts";
import { sha256 } from "../../platform/hash.ts";
import { normaliseSchema } from "../../providers/schema-normalise.ts";
import { agentCall } from "./agent.ts";
import type { AgentRequest } from "./agent-request.ts";
import type { CallSite, PreparedCall } from "./call.ts";
import { checkCall } from "./check.ts";
import type { CallSetting, Execution } from "./execution.ts";
import { type LoopChange, LoopPlace } from "./loop-place.ts";
import { mergeLoop } from "./merge-loop.ts";
import { APPLY_WORDS, UNTIL_GREEN_OPTIONS } from "./option-specs.ts";
import { type Options, readOptions } from "./options.ts";
import { type WeakenedFile, weakenedFiles } from "./weakened-checks.ts";

/** Of the hash that tells the files of one loop in a run from those of another. */
const NAME_DIGITS = 12;
const DEFAULT_ROUNDS = 3;
const DEFAULT_LABEL = "until-green";

/** Bytes of a file that is looked into; larger ones are no code that somebody wrote. */
const MOST_READ = 4 * 1024 * 1024;

/** What an agent that fixes must answer. */
const FIX_SCHEMA: JsonObject = normaliseSchema({
  type: "object",
  properties: {
    summary: { type: "string" },
    files_changed: { type: "array", items: { type: "string" } },
    confidence: { type: "string" },
  },
  required: ["summary"],
});

/** Has a call answered; `undefined` where nobody will. */
export type Ask = (call: PreparedCall) => Promise<Json | undefined>;

interface Loop {
  readonly setting: CallSetting;
  readonly site: CallSite;
  readonly command: string;
  readonly label: string;
  readonly options: Options<typeof UNTIL_GREEN_OPTIONS>;
  readonly place: LoopPlace;
  readonly ask: Ask;
}

interface Round {
  readonly round: number;
  readonly check: Json;
  readonly command: string;
  readonly fixed: boolean;
  readonly fix?: Json;
}

type Verdict = "green" | "weakened" | "stalled" | "exhausted";

/**
 * @param execution absent where calls are only looked up: then no working tree is made.
 * @returns `undefined` where a call was not answered.
 * @throws PalliumError `command_required`, `bad_option`, and those of its calls.
 */
export async function untilGreen(
  setting: CallSetting,
  { scope, phase, args }: CallSite & { readonly args: readonly Json[] },
  ask: Ask,
  execution?: Execution,
): Promise<Json | undefined> {
  const command = commandText(args[0]);
  const options = readOptions("verify.untilGreen", UNTIL_GREEN_OPTIONS, args[1]);
  assertApply(options.apply);
  const label = options.label || DEFAULT_LABEL;
  const place = new LoopPlace(sha256(scope).slice(0, NAME_DIGITS), setting.cwd);
  const loop: Loop = { setting, site: { scope, phase }, command, label, options, place, ask };
  try {
    const rounds = await runRounds(loop);
    if (rounds === undefined) return undefined;
    return await conclude(loop, rounds, execution);
  } finally {
    if (execution !== undefined) await place.close(execution);
  }
}

function commandText(value: Json | undefined): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new PalliumError("command_required", "verify.untilGreen command is required", {
    hints: ['name the command that is to pass, such as verify.untilGreen("npm test")'],
  });
}

function assertApply(apply: string | undefined): void {
  if (apply === undefined || APPLY_WORDS.includes(apply)) return;
  throw new PalliumError("bad_option", `invalid verify.untilGreen apply "${apply}"`, {
    hints: [
      'use "green", which is the default, or "always" to keep fixes that do not make it pass',
    ],
  });
}

async function runRounds(loop: Loop): Promise<readonly Round[] | undefined> {
  const most = (loop.options.max_rounds ?? 0) > 0 ? loop.options.max_rounds : DEFAULT_ROUNDS;
  const rounds: Round[] = [];
  for (let round = 0; ; round += 1) {
    const check = await loop.ask(checkOf(loop, round));
    if (check === undefined) return undefined;
    const done = { round, check, command: loop.command };
    const isStuck = round > 0 && sameFailures(rounds.at(-1)?.check, check);
    if (isGreen(check) || isStuck || round >= (most ?? DEFAULT_ROUNDS)) {
      return [...rounds, { ...done, fixed: false }];
    }
    const fix = await loop.ask(fixOf(loop, round, check));
    if (fix === undefined) return undefined;
    rounds.push({ ...done, fixed: true, fix });
  }
}

function checkOf({ setting, site, command, label, options, place }: Loop, round: number) {
  const { provider, model } = options;
  const check = {
    command,
    label: `${label}-check-${round + 1}`,
    timeoutSeconds: setting.timeoutSeconds,
    ...(setting.providers.stubbed || provider ? { provider, model } : {}),
  };
  return checkCall(setting, site, check, place.checks);
}

function fixOf(loop: Loop, round: number, check: Json): PreparedCall {
  const { setting, site, command, label, options, place } = loop;
  const request: AgentRequest = {
    primitive: "verify.untilGreen",
    prompt: fixPrompt(command, check),
    label: `${label}-fix-${round + 1}`,
    provider: options.provider ?? "",
    repo: setting.cwd,
    mode: "edit",
    isolation: "",
    includeIgnored: [],
    network: false,
    model: options.fix_model || options.model || "",
    effort: options.effort ?? "",
    schema: FIX_SCHEMA,
    schemaHash: sha256(canonicalJson(FIX_SCHEMA)),
    timeoutSeconds: setting.timeoutSeconds,
    phase: "",
    session: () => place.session,
  };
  const call = agentCall(setting, site, request, place.fixes);
  return {
    ...call,
    plan: { ...call.plan, replayed: (record) => place.replayed(record) },
  };
}

function fixPrompt(command: string, check: Json): string {
  return [
    "A verification command fails. Make it pass with the smallest change that is right.",
    `The command, as a JSON string: ${JSON.stringify(command)}`,
    `What the last run of it reported, as JSON: ${JSON.stringify(check)}`,
    "Mend the cause in the code. Do not skip, delete or weaken tests, do not change how tests are configured or run, and do not silence errors: whoever asked compares them with what they were.",
    "You may run the command to see whether it passes. Commit nothing. Then say in `summary` what was wrong and what you changed.",
  ].join("\n");
}

function isGreen(check: Json): boolean {
  return isRecord(check) && check.ok === true;
}

/** Whether the same things fail as before; times, numbers and addresses in what tools say aside. */
function sameFailures(before: Json | undefined, now: Json): boolean {
  return before !== undefined && failureSet(before) === failureSet(now);
}

function failureSet(check: Json): string {
  if (!isRecord(check) || !Array.isArray(check.failures)) return canonicalJson(check);
  const failures = check.failures.map((failure) =>
    isRecord(failure)
      ? [failure.file ?? "", failure.name ?? "", failure.message ?? ""]
          .map(withoutNumbers)
          .join("\n")
      : canonicalJson(failure as Json),
  );
  return [...new Set(failures)].sort().join("\n\n");
}

function withoutNumbers(text: unknown): string {
  return String(text).replace(/0x[0-9a-f]+|\d+(?:\.\d+)?/gi, "#");
}

async function conclude(
  loop: Loop,
  rounds: readonly Round[],
  execution: Execution | undefined,
): Promise<Json | undefined> {
  const last = rounds.at(-1);
  const ok = last !== undefined && isGreen(last.check);
  const stalled =
    !ok && rounds.length > 1 && sameFailures(rounds.at(-2)?.check, last?.check ?? null);
  const change = execution === undefined ? undefined : await loop.place.change(execution);
  const weakened = change === undefined ? [] : await weakenedIn(loop, change);
  const verdict: Verdict = !ok
    ? stalled
      ? "stalled"
      : "exhausted"
    : weakened.length > 0
      ? "weakened"
      : "green";
  const isWanted = verdict === "green" || loop.options.apply === "always";
  if (execution !== undefined && change !== undefined)
    report(execution, loop, verdict, weakened, isWanted);
  if (change !== undefined && isWanted) {
    const merged = await loop.ask(mergeLoop(loop.setting, loop.site, loop, change));
    if (merged === undefined) return undefined;
  }
  return {
    ok,
    command: loop.command,
    rounds: rounds.map((round) => ({ ...round })),
    stalled,
    verdict,
    weakened: weakened.map(({ file, reason }) => ({ file, reason })),
    merged: change !== undefined && isWanted,
    ...(change === undefined ? {} : { patch: change.patch.path }),
  };
}

function weakenedIn(
  { command }: Loop,
  { repo, changes }: LoopChange,
): Promise<readonly WeakenedFile[]> {
  return weakenedFiles(command, changes, async (blob) => {
    const { stdout: size } = await repo.store.run(["cat-file", "-s", blob]);
    if (Number(size) > MOST_READ) return "";
    const { stdout } = await repo.store.run(["cat-file", "blob", blob]);
    return stdout;
  });
}

function report(
  { warn }: Execution,
  { label }: Loop,
  verdict: Verdict,
  weakened: readonly WeakenedFile[],
  isWanted: boolean,
): void {
  for (const { file, reason } of weakened) warn(`${label}: ${visibleName(file)}: ${reason}`);
  if (isWanted) return;
  const why =
    verdict === "weakened" ? "green only with its check weakened" : `not green (${verdict})`;
  warn(`${label} is ${why}: its fixes are kept as a patch and not applied`);
}
