/** `bun scripts/labs/every-fault.ts`: the tests that fail at a spread of points, at each of them; 10 minutes. */
import { EVERY_FAULT } from "../../test/support/fault-points.ts";

const TESTS = ["edit-apply", "edit-kills", "journal-faults", "primitive-faults"];

const tests = Bun.spawn([process.execPath, "test", ...TESTS.map((name) => `test/fault/${name}`)], {
  env: { ...process.env, [EVERY_FAULT]: "1" },
  stdin: "ignore",
  stdout: "inherit",
  stderr: "inherit",
});
process.exit(await tests.exited);
