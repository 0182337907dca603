import { expect, test } from "bun:test";
import { workerEnvironment } from "../../../src/providers/worker-environment.ts";

test("workers get the user's environment without pallium's secrets (weakness X5)", () => {
  const environment = workerEnvironment(
    {
      PATH: "/bin",
      OPENAI_API_KEY: "theirs",
      TZ: "Etc/UTC",
      PALLIUM_WORKFLOW_API_TOKEN: "secret",
      PALLIUM_EMBED_API_KEY: "secret",
      PALLIUM_EMBED_APIKEY: "secret",
      PALLIUM_CLIENT_SECRET: "secret",
      PALLIUM_DB_PASSWORD: "secret",
      PALLIUM_HOME: "/home/x/.pallium",
      PALLIUM_WORKFLOW_PROVIDER: "monkey",
      PALLIUM_WORKFLOW_PROVIDER_MONKEY_COMMAND: "cat",
      GIT_AUTHOR_NAME: "Ann",
      GIT_DIR: "/repository/of/a/hook/.git",
      BUN_OPTIONS: "--preload=x",
      BUN_BE_BUN: "1",
    },
    { depth: 0, originalTz: "Europe/Berlin" },
  );
  expect(environment).toEqual({
    PATH: "/bin",
    GIT_AUTHOR_NAME: "Ann",
    OPENAI_API_KEY: "theirs",
    TZ: "Europe/Berlin",
    PALLIUM_HOME: "/home/x/.pallium",
    PALLIUM_WORKFLOW_PROVIDER: "monkey",
    PALLIUM_WORKFLOW_PROVIDER_MONKEY_COMMAND: "cat",
    PALLIUM_WORKFLOW_DEPTH: "1",
  });
});

test("what an outer call was told is not passed on, and the depth grows", () => {
  const environment = workerEnvironment(
    {
      PALLIUM_WORKFLOW_PROMPT: "outer",
      PALLIUM_WORKFLOW_OUTPUT_FILE: "/outer",
      PALLIUM_WORKFLOW_EFFORT: "outer",
      PALLIUM_WORKFLOW_SESSION: "outer",
      PALLIUM_WORKFLOW_DEPTH: "2",
      TZ: "Etc/UTC",
    },
    { depth: 2, originalTz: undefined },
  );
  expect(environment).toEqual({ PALLIUM_WORKFLOW_DEPTH: "3" });
});
