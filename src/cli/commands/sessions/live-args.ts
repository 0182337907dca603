import type { CommandArgs } from "../../command.ts";

export const LIVE_ARGS = {
  all: {
    type: "boolean",
    description: "Inactive sessions too: the latest 50 that were written within seven days",
  },
  details: { type: "boolean", description: "Print what each session did last" },
} as const satisfies CommandArgs;
