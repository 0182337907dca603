/**
 * Says which coding agents `npm start` could use. Asks no model and spends nothing. With
 * `--choose` it prints only the name of the one that would take part, or nothing.
 */
import { readEnvironment } from "../src/app/env.ts";
import { exitCodeOf, renderError } from "../src/cli/report-error.ts";
import type { Environment } from "../src/platform/environment.ts";
import { capture } from "../src/platform/process/capture.ts";
import { findExecutable } from "../src/platform/process/executable.ts";
import {
  type ProviderAvailability,
  providerAvailability,
  usableProvider,
} from "../src/providers/availability.ts";
import { chosenProvider } from "../src/providers/resolve.ts";

const PATIENCE_MS = 15_000;
const OUTPUT_LIMIT = 64 * 1024;

function describe({ name, path, loggedIn }: ProviderAvailability): string {
  if (path === undefined) return `${name}: not installed`;
  return `${name}: ${path}, ${loggedIn ? "logged in" : "not logged in"}`;
}

function conclusion(usable: string | undefined, variables: Environment["variables"]): string {
  if (usable !== undefined) {
    return `None took part. To let ${usable} take part: npm start -- --agents`;
  }
  const chosen = chosenProvider(variables);
  return chosen === undefined
    ? "None can take part yet. Once one is logged in: npm start -- --agents"
    : `None can take part: PALLIUM_WORKFLOW_PROVIDER asks for ${chosen}, which is not ready`;
}

async function main({ argv, variables, cwd, home }: Environment): Promise<void> {
  const providers = await providerAvailability({
    variables,
    home,
    codexBinary: "codex",
    findExecutable: (program) => findExecutable(program, variables.PATH ?? "", cwd),
    exitStatus: async (command) => {
      const options = { cwd, env: variables, timeoutMs: PATIENCE_MS, outputLimit: OUTPUT_LIMIT };
      return (await capture(command, options)).exitCode;
    },
  });
  const usable = usableProvider(variables, providers);
  if (argv.includes("--choose")) {
    console.log(usable ?? "");
    return;
  }
  console.log("\nCoding agents on this machine:");
  for (const provider of providers) console.log(`  ${describe(provider)}`);
  console.log(conclusion(usable, variables));
}

try {
  await main(readEnvironment());
} catch (error) {
  const style = { json: false, verbose: false, colour: false, terminal: false };
  process.stderr.write(renderError(error, style));
  process.exitCode = exitCodeOf(error);
}
