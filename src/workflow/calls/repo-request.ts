/** Reads the arguments of `pallium.*` into a question to repository memory. */
import { PalliumError } from "../../lib/errors.ts";
import { isRecord, type Json } from "../../lib/json.ts";
import type { RepoPrimitive } from "../engine/protocol.ts";
import { HANDOFF_OPTIONS, REVIEW_OPTIONS, TASK_OPTIONS, VERIFY_OPTIONS } from "./option-specs.ts";
import { type OptionSpec, type Options, readOptions } from "./options.ts";
import type { RepoCall } from "./repo-calls.ts";

/**
 * @param timeoutSeconds that each command of a verification may take where the call says nothing; 0 for no limit.
 * @throws PalliumError `bad_option` for options and arguments that the call does not have.
 */
export function repoCall(
  primitive: RepoPrimitive,
  args: readonly Json[],
  timeoutSeconds: number,
): RepoCall {
  const given = new Arguments(primitive, args);
  switch (primitive) {
    case "pallium.verify":
      return verifyCall(given, timeoutSeconds);
    case "pallium.review":
      return reviewCall(given);
    case "pallium.handoff":
      return handoffCall(given);
    case "pallium.explain":
      return pathCall("explain", given);
    case "pallium.safe":
      return pathCall("safe", given);
    case "pallium.plan":
      return pathCall("plan", given);
    case "pallium.changedNow":
      return bareCall("changedNow", ["changed-now"], given);
    case "pallium.preflight":
      return preflightCall(given);
    case "pallium.task.start":
      return taskStartCall(given);
    case "pallium.task.show":
      return bareCall("taskShow", ["task", "show"], given);
    case "pallium.task.clear":
      return bareCall("taskClear", ["task", "clear"], given);
  }
}

function verifyCall(given: Arguments, timeoutSeconds: number): RepoCall {
  const options = given.options(VERIFY_OPTIONS);
  const [tier = options.tier || "fast"] = given.words(1);
  const { base, command } = options;
  const keepGoing = options.keep_going === true;
  const dryRun = options.dry_run === true;
  const timeout = options.timeout_seconds ?? timeoutSeconds;
  return {
    question: {
      service: "verify",
      input: {
        tier,
        keep_going: keepGoing,
        dry_run: dryRun,
        ...(base ? { base } : {}),
        ...(command ? { command } : {}),
        ...(timeout > 0 ? { timeout } : {}),
      },
    },
    argv: [
      "verify",
      tier,
      ...(base ? ["--base", base] : []),
      ...(command ? ["--command", command] : []),
      ...(keepGoing ? ["--keep-going"] : []),
      ...(dryRun ? ["--dry-run"] : []),
    ],
  };
}

function reviewCall(given: Arguments): RepoCall {
  const options = given.options(REVIEW_OPTIONS);
  const staged = options.staged === true;
  const words = baseWords(given, options.base);
  return {
    question: { service: "review", input: { words, staged } },
    argv: ["review", ...words, ...(staged ? ["--staged"] : [])],
  };
}

function handoffCall(given: Arguments): RepoCall {
  const { base } = given.options(HANDOFF_OPTIONS);
  const words = baseWords(given, base);
  return { question: { service: "handoff", input: { words } }, argv: ["handoff", ...words] };
}

/** The base comes first, or is an option. */
function baseWords(given: Arguments, base: string | undefined): readonly string[] {
  const named = given.words(1);
  return named.length === 0 && base ? [base] : named;
}

function pathCall(service: "explain" | "safe" | "plan", given: Arguments): RepoCall {
  given.options({});
  const words = given.words(1);
  const [path = ""] = words;
  return { question: { service, input: { path } }, argv: [service, ...words] };
}

function bareCall(
  service: "changedNow" | "taskShow" | "taskClear",
  argv: readonly string[],
  given: Arguments,
): RepoCall {
  given.options({});
  given.words(0);
  return { question: { service, input: {} }, argv };
}

function preflightCall(given: Arguments): RepoCall {
  given.options({});
  const [task = "", ...scope] = given.words();
  return {
    question: { service: "preflight", input: { task, scope } },
    argv: ["workflow", "preflight", task, ...scope.flatMap((path) => ["--scope", path])],
  };
}

function taskStartCall(given: Arguments): RepoCall {
  const { expires } = given.options(TASK_OPTIONS);
  const [goal = "", ...scope] = given.words();
  return {
    question: { service: "taskStart", input: { goal, scope, ...(expires ? { expires } : {}) } },
    argv: ["task", "start", goal, ...scope, ...(expires ? ["--expires", expires] : [])],
  };
}

/** Words, some of them in lists, and an object of options at the end. */
class Arguments {
  readonly #name: string;
  readonly #words: readonly Json[];
  readonly #options: Json | undefined;

  constructor(name: string, args: readonly Json[]) {
    this.#name = name;
    const last = args.at(-1);
    this.#options = isRecord(last) ? last : undefined;
    this.#words = isRecord(last) ? args.slice(0, -1) : args;
  }

  options<S extends OptionSpec>(spec: S): Options<S> {
    return readOptions(this.#name, spec, this.#options);
  }

  /** The words that are not blank. @throws PalliumError `bad_option` where there are more than `most`. */
  words(most = Number.POSITIVE_INFINITY): readonly string[] {
    const words = this.#words.flat().flatMap((word) => {
      if (word === null) return [];
      if (typeof word === "string" || typeof word === "number") return String(word).trim() || [];
      throw new PalliumError(
        "bad_option",
        `invalid ${this.#name} argument ${JSON.stringify(word)}: must be text`,
        { hints: ["PALLIUM_WORKFLOW.md lists what every call takes"] },
      );
    });
    if (words.length <= most) return words;
    const count = most === 0 ? "no arguments" : `${most} argument`;
    throw new PalliumError("bad_option", `${this.#name} takes ${count}, not ${words.length}`, {
      hints: ["PALLIUM_WORKFLOW.md lists what every call takes"],
    });
  }
}
