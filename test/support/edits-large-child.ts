/** Takes a large new file and puts it into another working tree; prints how large it is there. */
import { stat, truncate } from "node:fs/promises";
import { newEditBench } from "./edit-bench.ts";

const [size = ""] = process.argv.slice(2);
await using bench = await newEditBench({ "a.txt": "a\n" });
const worker = await bench.open();
await Bun.write(`${worker.root}/large`, "begins");
await truncate(`${worker.root}/large`, Number(size));
const { tree } = await bench.capture(worker);
const next = await bench.open(tree);
process.stdout.write(String((await stat(`${next.root}/large`)).size));
