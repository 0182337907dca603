/** Set by `--define` in compiled builds. */
declare const PALLIUM_COMPILED: boolean | undefined;

const ENTRIES = {
  script: "workers/script/main.ts",
  schema: "workers/schema/main.ts",
  repo: "workers/repo/main.ts",
  sessions: "workers/sessions/main.ts",
} as const;

/**
 * What `new Worker` is given to start one of our workers. A compiled program knows its entries by
 * a path relative to the repository; from source that path would be looked up in the current
 * directory, where anybody may have put a file of that name.
 */
export function workerEntry(name: keyof typeof ENTRIES): string | URL {
  const compiled = typeof PALLIUM_COMPILED === "boolean" && PALLIUM_COMPILED;
  return compiled ? `./${ENTRIES[name]}` : new URL(`../../${ENTRIES[name]}`, import.meta.url);
}
