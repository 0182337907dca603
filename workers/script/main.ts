/**
 * Entry of the Worker that runs one workflow script. The order is strict: what the realm offers is
 * limited first, since lockdown freezes it and what loads SES takes its own references.
 */
import { capAllocations } from "./allocation-caps.ts";

declare const self: Worker;

/** Bytes of one buffer or array, characters of one string. */
const ALLOCATION_LIMIT = 64 * 1024 * 1024;

capAllocations(ALLOCATION_LIMIT);
const { startScriptWorker } = await import("./script-worker.ts");
startScriptWorker(self);
