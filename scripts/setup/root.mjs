import { fileURLToPath } from "node:url";

/** Absolute path of the checkout, wherever the script was started from. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
