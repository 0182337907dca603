/** A worker and a capture as somebody to whom permissions apply; prints what came of it as JSON. */
import { errorData } from "../../src/lib/errors.ts";
import { newEditBench } from "./edit-bench.ts";
import { giveUpRoot } from "./give-up-root.ts";

giveUpRoot();
const [script = ""] = process.argv.slice(2);
await using bench = await newEditBench({ "a.txt": "a\n", "b.txt": "b\n", "folder/c.txt": "c\n" });
const worker = await bench.open();
await bench.shell(worker.root, script);
const captured = await bench.capture(worker).then(
  async ({ tree, skipped }) => ({ files: await bench.files(tree), skipped }),
  (error) => ({ error: errorData(error) }),
);
const removed = await bench.remove(worker).then(() => true, errorData);
process.stdout.write(JSON.stringify({ ...captured, removed }));
