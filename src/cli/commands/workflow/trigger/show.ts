import { triggerCommand } from "./one-trigger.ts";

export const command = triggerCommand("show");
