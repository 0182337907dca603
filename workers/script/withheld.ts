/** Globals that a fresh compartment has and scripts must not. */
export const WITHHELD_GLOBALS: readonly string[] = [
  "Compartment",
  "Function",
  "Temporal",
  "TextDecoder",
  "TextEncoder",
  "eval",
  "harden",
  "lockdown",
];
