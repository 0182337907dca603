/** Reads the option object of a primitive: every key known, every value of its type. */
import { PalliumError } from "../../lib/errors.ts";
import { isRecord, type Json, type JsonObject } from "../../lib/json.ts";
import { nearMatch } from "../../lib/near-match.ts";

interface OptionTypes {
  readonly text: string;
  readonly texts: readonly string[];
  readonly seconds: number;
  readonly count: number;
  readonly boolean: boolean;
  readonly schema: JsonObject;
}

export type OptionSpec = Readonly<Record<string, keyof OptionTypes>>;
export type Options<S extends OptionSpec> = { readonly [K in keyof S]?: OptionTypes[S[K]] };

/**
 * Decodes `given` by `spec`, whose names are snake case. `timeoutSeconds`, `timeout_seconds` and
 * `TIMEOUT_SECONDS` are the same option; a `null` one is as if absent.
 * @throws PalliumError `bad_option` that names the option and, for an unknown one, the nearest known.
 */
export function readOptions<S extends OptionSpec>(
  what: string,
  spec: S,
  given: Json | undefined,
): Options<S> {
  if (given === undefined || given === null) return {};
  if (!isRecord(given)) throw badOption(`${what} options must be an object`);
  const names = new Map(Object.keys(spec).map((name) => [foldOption(name), name]));
  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given as JsonObject)) {
    const name = names.get(foldOption(key));
    if (name === undefined) {
      const near = nearMatch(key, Object.keys(spec));
      throw badOption(`${what} has no option "${key}"`, near && `did you mean "${near}"?`);
    }
    if (value !== null) options[name] = readValue(what, key, spec[name] ?? "text", value);
  }
  return options as Options<S>;
}

/** Spellings of one name that mean the same option. */
export function foldOption(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function readValue(what: string, key: string, type: keyof OptionTypes, value: Json): unknown {
  switch (type) {
    case "text":
      if (typeof value === "string") return value.trim();
      throw badOption(`invalid ${what} ${key} ${JSON.stringify(value)}: must be text`);
    case "texts":
      if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return value;
      throw badOption(`invalid ${what} ${key} ${JSON.stringify(value)}: must be a list of texts`);
    case "boolean":
      if (typeof value === "boolean") return value;
      throw badOption(
        `invalid ${what} ${key} ${JSON.stringify(value)}: must be a boolean (true or false)`,
      );
    case "seconds":
      if (Number.isInteger(value) && (value as number) >= 0) return value;
      throw badOption(
        `invalid ${what} ${key} ${JSON.stringify(value)}: must be whole seconds, 0 for no limit`,
      );
    case "count":
      if (typeof value === "string" && /^-?\d+$/.test(value.trim())) return Number(value);
      if (Number.isInteger(value)) return value;
      throw badOption(`invalid ${what} ${key} ${JSON.stringify(value)}: must be a whole number`);
    case "schema":
      if (isRecord(value)) return value;
      throw badOption(`invalid ${what} ${key}: must be a JSON Schema object`);
  }
}

function badOption(message: string, hint?: string): PalliumError {
  return new PalliumError("bad_option", hint === undefined ? message : `${message}; ${hint}`, {
    hints: [hint ?? "PALLIUM_WORKFLOW.md lists the options of every call and what they take"],
  });
}
