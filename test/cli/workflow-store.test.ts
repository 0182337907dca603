/** Where runs are kept, and for whom. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { workflowHome } from "../support/workflow.ts";

describe("the store", () => {
  test("is where PALLIUM_TEST_DB says, unless --db says otherwise (oracle 76)", async () => {
    await using home = await workflowHome();
    const redirected = join(home.directory, "other.sqlite");
    const explicit = join(home.directory, "explicit.sqlite");
    const env = { PALLIUM_TEST_DB: redirected };
    const first = await home.script("return 1;", { env });
    expect(first.stderr).toContain(`PALLIUM_TEST_DB is set: using ${redirected}`);
    expect(existsSync(redirected)).toBe(true);
    expect(existsSync(join(home.directory, ".pallium", "pallium.sqlite"))).toBe(false);
    const second = await home.script("return 1;", { env, flags: ["--db", explicit] });
    expect(second.stderr).not.toContain("PALLIUM_TEST_DB");
    expect(existsSync(explicit)).toBe(true);
  });

  test("and its files are the user's alone; nothing is written to the repository (oracle 75, X6)", async () => {
    await using home = await workflowHome();
    await home.script(`return (await check("true")).ok;`);
    const listing = await home.pallium(["workflow", "read", "wf-test"]);
    expect(listing.stdout.trim()).toBe("true");
    const find = Bun.spawnSync(["find", join(home.directory, ".pallium"), "-perm", "/077"]);
    expect(find.stdout.toString()).toBe("");
  });
});
