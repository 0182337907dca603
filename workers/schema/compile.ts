/** Compiles one JSON Schema, or says where it is wrong. */
import { Ajv, type AnySchemaObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isRecord } from "../../src/lib/json.ts";

export interface CompiledSchema {
  readonly validate: ValidateFunction;
}

const OPTIONS = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  logger: false,
  verbose: true,
} as const;

/**
 * Compiles the JSON text of a schema: draft 2020-12, or draft 7 where `$schema` names it. References
 * to other documents are errors. Each schema has an instance of its own, so that none sees another's ids.
 * @throws Error whose message says where the schema is wrong.
 */
export function compileSchema(text: string): CompiledSchema {
  const schema = JSON.parse(text) as AnySchemaObject;
  if (Object.hasOwn(schema, "$async")) throw new Error("/$async is not supported");
  const dialect = typeof schema.$schema === "string" ? schema.$schema : "";
  const ajv = dialect.includes("draft-07") ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  if (ajv.validateSchema(schema) !== true) {
    const [first] = ajv.errors ?? [];
    throw new Error(`${first?.instancePath || "the root"} ${first?.message ?? "is no schema"}`);
  }
  try {
    return { validate: ajv.compile(schema) };
  } catch (error) {
    const pattern = badPattern(schema, "");
    throw pattern === undefined ? error : new Error(`${pattern} is not a regular expression`);
  }
}

/** JSON pointer of the first text under `pattern` that is no regular expression; ajv does not say which it is. */
function badPattern(schema: unknown, pointer: string): string | undefined {
  if (!isRecord(schema) && !Array.isArray(schema)) return undefined;
  for (const [key, value] of Object.entries(schema)) {
    const here = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (key === "pattern" && typeof value === "string" && !isPattern(value)) return here;
    const below = badPattern(value, here);
    if (below !== undefined) return below;
  }
  return undefined;
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "u") !== undefined;
  } catch {
    return false;
  }
}
