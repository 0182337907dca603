/** Loaded before every test file: on a busy machine, starting a few processes takes its time. */
import { setDefaultTimeout } from "bun:test";

setDefaultTimeout(30_000);
