import { describe, expect, test } from "bun:test";
import { files, shown } from "../../../support/plan.ts";

const TEST = "src/a.test.ts";

function plan(manifest: object, names = "", tests = [TEST]) {
  const repository = files(`src/a.ts ${names}`, { "package.json": JSON.stringify(manifest) });
  return shown(
    { ...repository, ...Object.fromEntries(tests.map((path) => [path, ""])) },
    ["src/a.ts"],
    tests,
  );
}

const script = (test: string) => ({ scripts: { test } });

test.each([
  ["package-lock.json", "npm test -- src/a.test.ts"],
  ["pnpm-lock.yaml", "pnpm test src/a.test.ts"],
  ["yarn.lock", "yarn test src/a.test.ts"],
  ["bun.lock", "bun run test src/a.test.ts"],
])("%s names the package manager, each with its own way to pass files on", (lock, line) => {
  expect(plan(script("vitest run"), lock).fast).toEqual([line]);
});

test("packageManager is believed before npm", () => {
  const { safe } = plan({ ...script("jest"), packageManager: "pnpm@9.1.0" });
  expect(safe).toEqual(["pnpm test"]);
});

describe("files reach the runner", () => {
  test.each([
    ["unknown program", "node scripts/test.mjs", "npm test -- src/a.test.ts"],
    ["runner at the end", "tsc -p . && vitest run", "npm test -- src/a.test.ts"],
    ["settings before it", "NODE_ENV=test jest", "npm test -- src/a.test.ts"],
    [
      "files of its own",
      'node --import tsx --test "src/**/*.test.ts"',
      "node --import tsx --test src/a.test.ts",
    ],
    [
      "files of its own, mocha",
      "mocha -r tsx test/",
      "npx --no-install mocha -r tsx src/a.test.ts",
    ],
    ["another script", "turbo run test", "npm test"],
    ["something after it", "vitest run && eslint .", "npm test"],
    ["watching for ever", "react-scripts test", "npm test -- --watchAll=false src/a.test.ts"],
  ])("%s", (_, text, line) => {
    expect(plan(script(text)).fast).toEqual([line]);
  });

  test("by the runner where the script does not take them", () => {
    const manifest = { ...script("turbo run test"), devDependencies: { vitest: "1" } };
    expect(plan(manifest)).toMatchObject({
      fast: ["npx --no-install vitest run src/a.test.ts"],
      safe: ["npm test"],
    });
  });

  test("jest takes names for patterns, so odd ones by path", () => {
    const odd = "src/[id].test.ts";
    expect(plan(script("jest"), "", [odd]).fast).toEqual([
      "npm test -- --runTestsByPath 'src/[id].test.ts'",
    ]);
  });

  test("names that old npm would expand go around the script (repo X1)", () => {
    const odd = "src/$(touch x).test.js";
    expect(plan(script("node --test"), "", [odd]).fast).toEqual([
      "node --test 'src/$(touch x).test.js'",
    ]);
    expect(plan(script("vitest run"), "", [odd, TEST]).fast).toEqual([
      "npm test",
      "npm test -- src/a.test.ts",
    ]);
  });
});

test("very many test files are run with all others, in one short command", () => {
  const tests = (count: number) => Array.from({ length: count }, (_, at) => `src/t${at}.test.ts`);
  expect(plan(script("vitest run"), "", tests(51)).fast).toEqual(["npm test"]);
  const [few] = plan(script("vitest run"), "", tests(50)).fast;
  expect(few).toEndWith(" src/t49.test.ts");
});

test("a package without scripts is tested by what it depends on", () => {
  expect(plan({ devDependencies: { mocha: "10" } }, "pnpm-lock.yaml")).toMatchObject({
    fast: ["pnpm exec mocha src/a.test.ts"],
    safe: ["pnpm exec mocha"],
  });
  expect(plan({}, "bun.lock").fast).toEqual(["bun test ./src/a.test.ts"]);
  expect(plan({}, "", ["src/a.test.js"]).fast).toEqual(["node --test src/a.test.js"]);
  expect(plan(script('echo "Error: no test specified" && exit 1'))).toMatchObject({ safe: [] });
});

test("a script that watches is left for one that ends", () => {
  const manifest = { scripts: { test: "vitest --watch", "test:run": "vitest run" } };
  expect(plan(manifest).safe).toEqual(["npm run test:run"]);
});

test("browser tests are run by Playwright", () => {
  const manifest = { ...script("vitest run"), devDependencies: { "@playwright/test": "1" } };
  expect(plan(manifest, "", [TEST, "e2e/login.spec.ts"]).fast).toEqual([
    "npm test -- src/a.test.ts",
    "npx --no-install playwright test e2e/login.spec.ts",
  ]);
});

test("types are checked where no script does", () => {
  const manifest = { ...script("vitest run"), devDependencies: { typescript: "5" } };
  expect(plan(manifest, "tsconfig.json").full).toEqual([
    "npm test",
    "npx --no-install tsc --noEmit",
  ]);
  const built = {
    scripts: { test: "vitest", build: "tsc -b" },
    devDependencies: { typescript: "5" },
  };
  expect(plan(built, "tsconfig.json").full).toEqual(["npm test", "npm run build"]);
});

test("a tsconfig that only names projects is not checked by itself", () => {
  const repository = files("src/a.ts", {
    "package.json": '{"devDependencies":{"typescript":"5","vitest":"1"}}',
    "tsconfig.json": '{"files":[],"references":[{"path":"./src"}]}',
  });
  expect(shown(repository, ["src/a.ts"]).full).toEqual(["npx --no-install vitest run"]);
});

test("a workspace's package is tested in its folder, then the whole in full (repo L9)", () => {
  const repository = files("pnpm-lock.yaml packages/app/src/a.ts packages/app/src/a.test.ts", {
    "package.json": '{"scripts":{"test":"pnpm -r test","lint":"eslint ."}}',
    "packages/app/package.json": '{"scripts":{"test":"vitest run","build":"vite build"}}',
    "packages/app/src/package.json": '{"type":"module"}',
  });
  expect(shown(repository, ["packages/app/src/a.ts"], ["packages/app/src/a.test.ts"])).toEqual({
    fast: ["(cd packages/app && pnpm test src/a.test.ts)"],
    safe: ["(cd packages/app && pnpm test)"],
    full: [
      "(cd packages/app && pnpm test)",
      "(cd packages/app && pnpm build)",
      "pnpm test",
      "pnpm lint",
    ],
  });
});

test("a file that begins with a dash is no option (repo X1)", () => {
  expect(plan(script("vitest run"), "", ["-x.test.ts"]).fast).toEqual(["npm test -- ./-x.test.ts"]);
});

describe("a test that the configuration of Vitest leaves out", () => {
  const unit = `export default defineConfig({
    test: { include: ['**/*.{test,spec}.ts'], exclude: ['**/dist/**', './play/**/*.*'],
      coverage: { exclude: ['src/**'] } } })`;
  const e2e =
    "export default { test: { include: ['./play/**/*.spec.[tj]s'], exclude: [...more] } }";
  const manifest = (scripts: object) =>
    JSON.stringify({ scripts, devDependencies: { vitest: "4" } });
  const tests = ["src/a.test.ts", "play/b/b.spec.ts"];
  const planned = (scripts: object, texts: object) =>
    shown(
      files("src/a.ts", {
        "package.json": manifest(scripts),
        "vitest.config.ts": unit,
        "src/a.test.ts": "",
        "play/b/b.spec.ts": "",
        ...texts,
      }),
      ["src/a.ts"],
      tests,
    ).fast;

  test("is run by the one that a script names for it", () => {
    const scripts = { test: "vitest run", serve: "E2E=1 vitest run -c vitest.config.e2e.ts" };
    expect(planned(scripts, { "vitest.config.e2e.ts": e2e })).toEqual([
      "npm test -- src/a.test.ts",
      "npx --no-install vitest run --config vitest.config.e2e.ts play/b/b.spec.ts",
    ]);
  });

  test("is left out where no other is known", () => {
    expect(planned({ test: "vitest run" }, {})).toEqual(["npm test -- src/a.test.ts"]);
  });
});
