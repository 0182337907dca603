/** Labels come from whole words of a path, and only for what is served. */
import { describe, expect, test } from "bun:test";
import { boundaryLabels, boundaryWarnings } from "../../../../src/repo/analysis/boundaries.ts";

describe("boundaryLabels", () => {
  test.each([
    ["src/auth/index.ts", ["auth"]],
    ["src/OAuth2Client.java", ["auth"]],
    ["lib/user_session.rb", ["auth"]],
    ["web/login-form.tsx", ["auth"]],
    ["config.yaml", ["config"]],
    ["vite.config.ts", ["config"]],
    ["app/settings/base.py", ["config"]],
    [".env.production", ["config"]],
    [".github/workflows/ci.yml", ["ci"]],
    [".github/workflows/test-config.yml", ["ci"]],
    [".gitlab-ci.yml", ["ci"]],
    ["Dockerfile", ["config"]],
    ["db/migrate/001_users.rb", ["db"]],
    ["queries/users.sql", ["db"]],
    ["src/routes/users.ts", ["api"]],
    ["service/user.proto", ["api"]],
    ["billing/InvoiceService.kt", ["payments"]],
    ["app/jobs/mail_worker.rb", ["jobs"]],
    ["api/auth/session.ts", ["auth", "api"]],
  ])("%s lies at %j", (path, labels) => {
    expect(boundaryLabels(path)).toEqual(labels);
  });

  test.each([
    "src/feedback.ts",
    "src/sandbox.ts",
    "src/author.ts",
    "src/capital.go",
    "src/rapid.go",
    "data/cities.json",
    "mkdocs.yml",
    ".pre-commit-config.yaml",
    ".github/ISSUE_TEMPLATE/config.yml",
    "src/lexer/token.rs",
    "src/checkout.c",
    "src/jobless.ts",
    "proto/src/main/java/Adapter.java",
  ])("%s lies at none: words count, not letters (repo C9)", (path) => {
    expect(boundaryLabels(path)).toEqual([]);
  });

  test.each(["src/auth/auth.test.ts", "tests/login/helper.ts", "docs/api/index.html", "API.md"])(
    "%s lies at none, for nobody is served from there",
    (path) => {
      expect(boundaryLabels(path)).toEqual([]);
    },
  );

  test("of several files each boundary is named once, in a fixed order", () => {
    const files = ["db/schema.sql", "src/auth/b.ts", "src/auth/a.ts"];
    expect(boundaryWarnings(files)).toEqual([
      { label: "auth", reason: "src/auth/b.ts and 1 more" },
      { label: "db", reason: "db/schema.sql" },
    ]);
  });
});
