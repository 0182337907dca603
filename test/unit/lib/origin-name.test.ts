/** What names a repository's origin, and nothing of who asks for it. */
import { expect, test } from "bun:test";
import { originName } from "../../../src/lib/origin-name.ts";

test.each([
  ["git@github.com:ann/app.git", "github.com/ann/app"],
  ["https://GitHub.com/ann/app/", "github.com/ann/app"],
  ["ssh://git@host:2222/ann/app.git", "host/ann/app"],
  ["https://ann:pass@word@host/ann/app", "host/ann/app"],
  ["https://token@host:8443/ann/app@2", "host/ann/app@2"],
  ["/srv/git/app.git", "/srv/git/app"],
  ["file:///srv/git/app.git", "/srv/git/app"],
  ["../app.git", ""],
  ["https://ann:pass@host", ""],
])("%s", (url, name) => {
  expect(originName(url)).toBe(name);
});
