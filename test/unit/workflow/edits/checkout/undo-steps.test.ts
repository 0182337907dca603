/** A change that fails half-way leaves the checkout as it was, folders too. */
import { expect, test } from "bun:test";
import { PalliumError } from "../../../../../src/lib/errors.ts";
import {
  CHECKOUT_FILES,
  type CheckoutFiles,
} from "../../../../../src/workflow/edits/checkout/write-steps.ts";
import { applyBench } from "../../../../support/apply-bench.ts";

/** Files of which the last cannot be moved to its place. */
function failingAt(last: string): CheckoutFiles {
  return {
    ...CHECKOUT_FILES,
    async move(root, temporary, path) {
      if (path === last) throw new PalliumError("io_failed", "no");
      await CHECKOUT_FILES.move(root, temporary, path);
    },
  };
}

test("a folder that was empty is there again, one that was made is not", async () => {
  await using work = await applyBench({ "a.txt": "a\n" });
  const trees = await work.edit(
    "mkdir -p empty/deep made; echo n >empty/deep/n; echo m >made/m; echo x >z",
  );
  await work.user("mkdir -p empty/deep");
  const files = failingAt("z");
  await expect(work.apply(trees, { files })).rejects.toMatchObject({ code: "io_failed" });
  expect(await work.user("find . -path ./.git -prune -o -print | sort")).toBe(
    ".\n./a.txt\n./empty\n./empty/deep\n",
  );
});

test("an empty folder in the place of a new file is there again", async () => {
  await using work = await applyBench({ "a.txt": "a\n" });
  const trees = await work.edit("echo n >n; echo x >z");
  await work.user("mkdir n");
  const files = failingAt("z");
  await expect(work.apply(trees, { files })).rejects.toMatchObject({ code: "io_failed" });
  expect(await work.user("ls -p")).toBe("a.txt\nn/\n");
});
