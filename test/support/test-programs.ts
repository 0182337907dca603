/** Programs that tests start again and again, in one that can be built; the first argument says which. */

const PROGRAMS = {
  "faulty-runner": () => import("./faulty-runner.ts"),
  "edit-apply-child": () => import("./edit-apply-child.ts"),
} as const;

export type TestProgramName = keyof typeof PROGRAMS;

const [name] = process.argv.splice(2, 1);
await PROGRAMS[name as TestProgramName]();
