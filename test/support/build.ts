import { mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { tempDir } from "./temp.ts";

const ROOT = resolve(import.meta.dir, "../..");
const EXECUTABLE = join(ROOT, "dist", "pallium");
const BUILT_FROM = "{src,workers}/**/*.ts";
const BUILT_WITH = [
  "package.json",
  "package-lock.json",
  "scripts/build.mjs",
  "scripts/workflow-acceptance.sh",
];

/** Writes files below `root`, by relative path. */
export async function writeTree(
  root: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const absolute = join(root, path);
    await mkdir(dirname(absolute), { recursive: true });
    await Bun.write(absolute, text);
  }
}

/** A compiled pallium; what had to be built for it is gone when disposed. */
export interface CompiledPallium extends AsyncDisposable {
  readonly path: string;
}

async function isFresh(): Promise<boolean> {
  if (!(await Bun.file(EXECUTABLE).exists())) return false;
  const { mtimeMs } = await stat(EXECUTABLE);
  const sources = [...new Bun.Glob(BUILT_FROM).scanSync({ cwd: ROOT }), ...BUILT_WITH];
  const changes = await Promise.all(sources.map((path) => stat(join(ROOT, path))));
  return changes.every((source) => source.mtimeMs < mtimeMs);
}

async function build(outfile: string): Promise<void> {
  const child = Bun.spawn(["node", join(ROOT, "scripts/build.mjs"), "--outfile", outfile], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`the build failed:\n${output}${errors}`);
}

/**
 * The executable that `PALLIUM_TEST_EXECUTABLE` names, else `dist/pallium` if nothing changed
 * since it was built, else one built here.
 */
export async function compiledPallium(): Promise<CompiledPallium> {
  const kept = { [Symbol.asyncDispose]: () => Promise.resolve() };
  const given = process.env.PALLIUM_TEST_EXECUTABLE;
  if (given) return { path: given, ...kept };
  if (await isFresh()) return { path: EXECUTABLE, ...kept };
  const dir = await tempDir();
  const path = dir.join("pallium");
  await build(path);
  return { path, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}
