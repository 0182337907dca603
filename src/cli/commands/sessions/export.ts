import { counted } from "../../../lib/counted.ts";
import { usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command, ParsedArgs } from "../../command.ts";
import { observerOf } from "../observer.ts";
import { FILTER_ARGS, filterOf } from "./filter-args.ts";
import { recalledResult } from "./recalled-result.ts";

const FORMATS = ["markdown", "json", "html"] as const;

export const command: Command = {
  name: "export",
  summary: operations["sessions.export"].summary,
  positionals: "[session-id...]",
  arity: [0, Number.POSITIVE_INFINITY],
  args: {
    all: { type: "boolean", description: "All sessions that the other flags let through" },
    format: {
      type: "enum",
      description: "How to write them; html is one page without scripts",
      options: [...FORMATS],
      default: "markdown",
    },
    out: { type: "string", description: "Write this file instead of stdout", valueHint: "file" },
    force: { type: "boolean", description: "Let the file take the place of another" },
    ...FILTER_ARGS,
  },
  operation: "sessions.export",
  examples: [
    "pallium sessions export 01a23a7d > session.md",
    "pallium sessions export --all --repo . --format html --out sessions.html",
  ],
  async run(args, context) {
    const report = await operations["sessions.export"].call(
      await context.services(),
      requestOf(args),
      observerOf(context),
    );
    const { path, bytes, sessions } = report;
    if (path !== "") {
      const text = `Sessions exported: ${path} (${bytes} bytes, ${counted(sessions, "session")})`;
      return { data: asJson(report), text };
    }
    const result = recalledResult(context, report, report.text);
    return context.json ? result : { pieces: once(report.text) };
  },
};

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

function requestOf(args: ParsedArgs) {
  const out = args.text("out");
  if (out === "") throw usageError("--out needs the name of a file");
  const format = FORMATS.find((name) => name === args.text("format")) ?? "markdown";
  return {
    ...filterOf(args),
    ...optional({ out }),
    ids: args.rest,
    all: args.flag("all"),
    force: args.flag("force"),
    format,
  };
}
