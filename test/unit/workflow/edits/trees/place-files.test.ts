/** Contents that are put into a working tree are what their hashes say, however large they are. */
import { expect, test } from "bun:test";
import { chmod, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { removeFolder } from "../../../../../src/platform/remove-folder.ts";
import { placeFiles } from "../../../../../src/workflow/edits/trees/place-files.ts";
import { newEditBench } from "../../../../support/edit-bench.ts";
import { tempDir } from "../../../../support/temp.ts";

/** Above this contents are not held in memory. */
const LARGE = 16 * 1024 * 1024 + 1;

test.each([
  ["small", 5, ["--object-format=sha1"]],
  ["large", LARGE, ["--object-format=sha1"]],
  ["small, by SHA-256", 5, ["--object-format=sha256"]],
] as const)("a %s content that the disk changed is placed nowhere", async (_, size, init) => {
  await using bench = await newEditBench({ "a.txt": "a\n" }, { init: [...init] });
  await using target = await tempDir();
  const { store } = bench;
  const write = async (byte: string) => {
    const input = Buffer.alloc(size, byte);
    return (await store.run(["hash-object", "-w", "--stdin"], { input })).stdout.trim();
  };
  const blob = await write("x");
  const place = () =>
    placeFiles(store, target.path, [{ path: "file", after: { mode: "100644", blob } }], {
      durable: false,
    });
  await place();
  expect(Bun.file(target.join("file")).size).toBe(size);

  const object = join(store.objects, blob.slice(0, 2), blob.slice(2));
  const changed = Buffer.concat([Buffer.from(`blob ${size}\0`), Buffer.alloc(size, "y")]);
  await mkdir(dirname(object), { recursive: true });
  if (await Bun.file(object).exists()) await chmod(object, 0o600);
  await removeFolder(join(store.objects, "pack"));
  await Bun.write(object, deflateSync(changed));
  await Bun.write(target.join("file"), "before");
  await expect(place()).rejects.toMatchObject({ code: "edit_objects_lost" });
  expect(await readdir(target.path)).toEqual(["file"]);
  expect(await Bun.file(target.join("file")).text()).toBe("before");
});
