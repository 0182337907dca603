/** A process of its own that writes 100,000 bytes to a file; prints how it ended as JSON. */
import { errorData } from "../../src/lib/errors.ts";
import { ensurePrivateDir, readTextFile, writeFileDurable } from "../../src/platform/files.ts";
import { giveUpRoot } from "./give-up-root.ts";

const ACTIONS: Record<string, (path: string) => Promise<unknown>> = {
  write: (path) => writeFileDurable(path, "x".repeat(100_000)),
  read: (path) => readTextFile(path),
  folder: (path) => ensurePrivateDir(path),
};

giveUpRoot();
const [action = "", path = ""] = process.argv.slice(2);
const outcome = await ACTIONS[action]?.(path).catch(errorData);
process.stdout.write(JSON.stringify(outcome ?? null));
