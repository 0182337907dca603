/**
 * `npm run build`: compiles pallium to one executable, `dist/pallium`.
 *
 *   npm run build -- [--target bun-darwin-arm64] [--outfile path] [--entry test/support/test-programs.ts]
 *
 * The executable reads no `.env`, `bunfig.toml`, `tsconfig.json` or `package.json` of the
 * directory it is started in. Code is split, so that a lazily imported library costs nothing
 * until it is used.
 */
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import "./setup/require-node.cjs";
import { commitOf } from "./setup/commit.mjs";
import { findBun } from "./setup/find-bun.mjs";
import { install } from "./setup/install.mjs";
import { runMain, SetupProblem } from "./setup/problem.mjs";
import { ROOT } from "./setup/root.mjs";
import { runCommand } from "./setup/run-step.mjs";

const ENTRY = "src/main.ts";
const WORKERS = [
  "workers/script/main.ts",
  "workers/schema/main.ts",
  "workers/repo/main.ts",
  "workers/sessions/main.ts",
];

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        target: { type: "string" },
        outfile: { type: "string" },
        entry: { type: "string" },
      },
    });
    return values;
  } catch (error) {
    throw new SetupProblem(
      error instanceof Error ? error.message : String(error),
      "usage: npm run build -- [--target bun-darwin-arm64] [--outfile path]",
    );
  }
}

/**
 * @param {string | undefined} target
 * @param {string} outfile
 * @param {string} entry
 */
function buildArguments(target, outfile, entry) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  /**
   * @param {string} name
   * @param {string | boolean} value
   */
  const define = (name, value) => `--define=${name}=${JSON.stringify(value)}`;
  return [
    "build",
    "--compile",
    ...(target === undefined ? [] : [`--target=${target}`]),
    "--splitting",
    "--bytecode",
    "--format=esm",
    "--minify-syntax",
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    "--no-compile-autoload-tsconfig",
    "--no-compile-autoload-package-json",
    define("PALLIUM_COMPILED", true),
    define("PALLIUM_BUILD_VERSION", version),
    define("PALLIUM_BUILD_COMMIT", commitOf(ROOT)),
    `--outfile=${outfile}`,
    entry,
    ...WORKERS,
  ];
}

await runMain(async () => {
  const options = readOptions();
  const name = options.target === undefined ? "pallium" : `pallium-${options.target.slice(4)}`;
  const outfile = resolve(options.outfile ?? join(ROOT, "dist", name));
  install(ROOT, "dependencies");
  mkdirSync(dirname(outfile), { recursive: true });
  const args = buildArguments(options.target, outfile, options.entry ?? ENTRY);
  const status = await runCommand(findBun(ROOT), args, { cwd: ROOT });
  if (status !== 0) return status;
  console.log(`${outfile} (${(statSync(outfile).size / 1e6).toFixed(1)} MB)`);
  return 0;
});
