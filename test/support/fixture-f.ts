/** A small repository of three languages, as the Go program's own tests have it. */
import { type TestRepository, testRepository } from "./repository.ts";

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const README_COMMIT: Readonly<Record<string, string>> = {
  "README.md": "# testrepo\n",
  "go.mod": "module example.com/testrepo\n\ngo 1.22\n",
  "package.json": json({
    name: "testrepo",
    scripts: {
      test: "vitest run",
      "test:unit": "vitest run",
      lint: "eslint .",
      typecheck: "tsc --noEmit",
      build: "tsc",
    },
  }),
  "package-lock.json": json({ name: "testrepo", lockfileVersion: 3 }),
  "tsconfig.json": json({ compilerOptions: { baseUrl: ".", paths: { "@/*": ["web/*"] } } }),
  "tsconfig.base.json": json({
    compilerOptions: { baseUrl: ".", paths: { "#shared/*": ["web/*"] } },
  }),
  "pyproject.toml": [
    "[tool.pytest.ini_options]",
    'testpaths = ["pkg"]',
    "",
    "[tool.ruff]",
    "line-length = 100",
    "",
    "[tool.mypy]",
    "strict = true",
    "",
  ].join("\n"),
};

const APP_COMMIT: Readonly<Record<string, string>> = {
  "helper.go": 'package main\n\nfunc helper() string { return "one" }\n',
  "internalpkg/helper/helper.go": 'package helper\n\nfunc Help() string { return "one" }\n',
  "cli/app.go":
    'package cli\n\nimport "example.com/testrepo/internalpkg/helper"\n\nfunc App() string { return helper.Help() }\n',
  "main.go": "package main\n\nfunc main() { println(helper()) }\n",
  "main_test.go": 'package main\n\nimport "testing"\n\nfunc TestMain(t *testing.T) { helper() }\n',
  "web/session.ts": "export const session = { user: 'one' };\n",
  "web/app.ts": "import { session } from './session';\n\nexport const app = () => session.user;\n",
  "web/alias_app.ts": "import { session } from '@/session';\n\nexport const aliased = session;\n",
  "web/session.test.ts":
    "import { session } from './session';\n\ntest('session', () => expect(session.user).toBe('one'));\n",
  "packages/app/tsconfig.json": json({
    extends: "../../tsconfig.base.json",
    compilerOptions: { baseUrl: ".", paths: { "@app/*": ["src/*"] } },
  }),
  "packages/app/src/util.ts": "export const util = 1;\n",
  "packages/app/src/feature.ts":
    "import { util } from '@app/util';\nimport { session } from '#shared/session';\n\nexport const feature = [util, session];\n",
  "pkg/__init__.py": "",
  "pkg/helper.py": "def helper():\n    return 1\n",
  "pkg/app.py": "from .helper import helper\n\n\ndef app():\n    return helper()\n",
  "pkg/test_app.py": "from .app import app\n\n\ndef test_app():\n    assert app() == 1\n",
  "src/pkgsrc/__init__.py": "",
  "src/pkgsrc/helper.py": "def helper():\n    return 1\n",
  "src/pkgsrc/app.py": "from pkgsrc.helper import helper\n\n\ndef app():\n    return helper()\n",
  "config.yaml": "name: one\n",
};

/** What the third commit edits, by another author. */
const EDITED: readonly (readonly [path: string, from: string, to: string])[] = [
  ["helper.go", "one", "two"],
  ["internalpkg/helper/helper.go", "one", "two"],
  ["cli/app.go", "func App()", "// App helps.\nfunc App()"],
  ["main.go", "println(helper())", "println(helper(), 2)"],
  ["main_test.go", "helper() }", "helper(); helper() }"],
  ["web/session.ts", "one", "two"],
  ["web/app.ts", "session.user", "session.user + '!'"],
  ["pkg/helper.py", "return 1", "return 2"],
  ["pkg/app.py", "return helper()", "return helper() - 1"],
  ["config.yaml", "one", "two"],
];

export interface FixtureFOptions {
  /** More files, in a commit of their own before the last. */
  readonly also?: Readonly<Record<string, string>>;
}

/** Three commits of the last minutes on `main`; the working tree is clean. */
export async function fixtureF({ also }: FixtureFOptions = {}): Promise<TestRepository> {
  const repo = await testRepository();
  const now = Math.floor(Date.now() / 1000);
  await repo.commit("docs: add readme", README_COMMIT, { at: now - 300 });
  await repo.commit("feat: add app", APP_COMMIT, { at: now - 200 });
  if (also !== undefined) await repo.commit("chore: more", also, { at: now - 150 });
  const edited = EDITED.map(([path, from, to]) => {
    const before = APP_COMMIT[path] ?? "";
    return [path, before.replace(from, to)] as const;
  });
  await repo.commit("fix: update app logic", Object.fromEntries(edited), {
    at: now - 100,
    by: "bea",
  });
  return repo;
}
