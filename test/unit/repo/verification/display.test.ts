import { expect, test } from "bun:test";
import { display, shellQuote } from "../../../../src/repo/verification/display.ts";
import { tempDir } from "../../../support/temp.ts";

test("what a shell reads of a quoted word is the word (repo X1)", async () => {
  await using dir = await tempDir();
  const words = [
    "x;touch pwned.test.ts",
    "$(touch pwned)",
    "`touch pwned`",
    "a b'c\"d",
    "line\nbreak\ttab\u0007",
    "ünï\u2028code",
    "~/x",
    "*",
    "",
    "back\\slash",
    "!history",
  ];
  const line = ["printf", "%s\\0", ...words].map(shellQuote).join(" ");
  const child = Bun.spawn(["bash", "-c", line], { cwd: dir.path, stdout: "pipe" });
  const printed = await new Response(child.stdout).text();
  expect(printed.split("\0").slice(0, -1)).toEqual(words);
  expect(await Array.fromAsync(new Bun.Glob("*").scan(dir.path))).toEqual([]);
});

test("a command of another folder changes to it, and make has a form of its own", () => {
  expect(display({ argv: ["npm", "test"], cwd: "web" })).toBe("(cd web && npm test)");
  expect(display({ argv: ["npm", "test"], cwd: "-web app" })).toBe("(cd './-web app' && npm test)");
  expect(display({ argv: ["make", "test"], cwd: "sub" })).toBe("make -C sub test");
  expect(display({ argv: ["go", "test", "./a b"], cwd: "" })).toBe("go test './a b'");
});
