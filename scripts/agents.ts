/** Says which coding agents `npm start` could use. Asks no model and spends nothing. */
import { readEnvironment } from "../src/app/env.ts";
import { capture } from "../src/platform/process/capture.ts";
import { findExecutable } from "../src/platform/process/executable.ts";
import { type ProviderAvailability, providerAvailability } from "../src/providers/availability.ts";

const PATIENCE_MS = 15_000;
const OUTPUT_LIMIT = 64 * 1024;

function describe({ name, path, loggedIn }: ProviderAvailability): string {
  if (path === undefined) return `${name}: not installed`;
  return `${name}: ${path}, ${loggedIn ? "logged in" : "not logged in"}`;
}

const { variables, cwd, home } = readEnvironment();
const providers = await providerAvailability({
  variables,
  home,
  codexBinary: "codex",
  findExecutable: (program) => findExecutable(program, variables.PATH ?? "", cwd),
  exitStatus: async (argv) => {
    const options = { cwd, env: variables, timeoutMs: PATIENCE_MS, outputLimit: OUTPUT_LIMIT };
    return (await capture(argv, options)).exitCode;
  },
});

console.log("\nCoding agents on this machine:");
for (const provider of providers) console.log(`  ${describe(provider)}`);
console.log(
  providers.some(({ loggedIn }) => loggedIn)
    ? "They took no part. To let those that are logged in take part: npm start -- --agents"
    : "None can take part yet. Once one is logged in: npm start -- --agents",
);
