import { expect, test } from "bun:test";
import fc from "fast-check";
import { affinityFrom, affinityTo, pairStem } from "../../../../src/repo/analysis/test-pairing.ts";

test.each([
  ["src/session.ts", "session"],
  ["src/session.test.ts", "session"],
  ["src/session.spec.tsx", "session"],
  ["x.spec", "x"],
  ["session.integration.test.ts", "session"],
  ["tests/test_app.py", "app"],
  ["app_test.go", "app"],
  ["src/test/java/FooTest.java", "foo"],
  ["TestFoo.java", "foo"],
  ["FooBarTests.cs", "foobar"],
  ["FooIT.java", "foo"],
  ["user_spec.rb", "user"],
  ["UserCest.php", "user"],
  ["strings_unittest.cc", "strings"],
  ["t/t3400-rebase.sh", "rebase"],
  ["src/auth/index.ts", "auth"],
  ["src/auth/__tests__/index.test.ts", "auth"],
  ["pkg/auth/__init__.py", "auth"],
  ["src/auth/mod.rs", "auth"],
  ["index.ts", "index"],
  ["test.js", "test"],
  ["types.d.ts", "types"],
  ["latest.ts", "latest"],
  ["Contest.java", "contest"],
])("pairStem(%p) is %p (repo L7)", (path, stem) => {
  expect(pairStem(path)).toBe(stem);
});

/** What both ways of asking say. */
function nameAffinity(source: string, other: string): number {
  const affinity = affinityTo(source)(other);
  expect(affinityFrom(other)(source)).toBe(affinity);
  return affinity;
}

test("nameAffinity() is 1 for the same name in the same place", () => {
  expect(nameAffinity("src/session.ts", "src/session.test.ts")).toBe(1);
  expect(nameAffinity("src/a/session.ts", "test/a/session.test.ts")).toBe(1);
  expect(nameAffinity("src/main/java/a/Foo.java", "src/test/java/a/FooTest.java")).toBe(1);
  expect(nameAffinity("app/models/user.rb", "spec/models/user_spec.rb")).toBe(1);
  expect(nameAffinity("src/a/userService.ts", "src/a/user-service.test.ts")).toBe(1);
});

test.each([
  ["helper.go", "helper_test.py"],
  ["src/session.ts", "tests/test_session.py"],
  ["README.md", "readme_test.go"],
  ["src/config.yaml", "src/config.test.ts"],
  ["src/Foo.java", "src/FooTests.cs"],
])("nameAffinity() never pairs %p with %p (repo L8)", (source, other) => {
  expect(nameAffinity(source, other)).toBe(0);
});

test("nameAffinity() pairs Kotlin with Java, and shell tests with the program", () => {
  expect(nameAffinity("src/main/java/a/Foo.java", "src/test/kotlin/a/FooTest.kt")).toBe(1);
  const shell = nameAffinity("builtin/rebase.c", "t/t3400-rebase.sh");
  expect(shell).toBeGreaterThan(0.3);
  expect(shell).toBeLessThan(0.6);
});

test("nameAffinity() prefers the test of the same folder", () => {
  const source = "packages/billing/src/invoice.ts";
  const near = nameAffinity(source, "packages/billing/test/invoice.test.ts");
  const far = nameAffinity(source, "packages/shipping/test/invoice.test.ts");
  expect(near).toBeGreaterThan(far);
  expect(far).toBeGreaterThan(0);
});

test("nameAffinity() believes names that every folder has by their folder", () => {
  const far = nameAffinity("src/billing/utils.ts", "src/shipping/utils.test.ts");
  expect(far).toBeLessThan(0.4);
  expect(nameAffinity("src/billing/utils.ts", "src/billing/utils.test.ts")).toBe(1);
});

test("nameAffinity() ranks equal names, then longer ones that hold the name, then others", () => {
  const affinity = (other: string) => nameAffinity("src/session.ts", `src/${other}`);
  expect(affinity("session-expiry.test.ts")).toBeLessThan(affinity("session.test.ts"));
  expect(affinity("session-expiry.test.ts")).toBeGreaterThan(0.3);
  expect(affinity("sessions.test.ts")).toBe(0);
  expect(affinity("obsession.test.ts")).toBe(0);
});

const name = fc.stringMatching(/^[a-z]{3,8}$/);
const folder = fc
  .array(name, { maxLength: 3 })
  .map((parts) => parts.map((part) => `${part}/`).join(""));

test("nameAffinity() lies between 0 and 1, and no test is nearer than the one of the same name beside it", () => {
  fc.assert(
    fc.property(folder, name, folder, name, (home, stem, otherHome, otherStem) => {
      const source = `${home}${stem}.ts`;
      const other = nameAffinity(source, `${otherHome}${otherStem}.test.ts`);
      const own = nameAffinity(source, `${home}${stem}.test.ts`);
      expect(other).toBeGreaterThanOrEqual(0);
      expect(own).toBeLessThanOrEqual(1);
      expect(own).toBeGreaterThanOrEqual(other);
    }),
  );
});
