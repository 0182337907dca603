/** Makes this realm safe for scripts: frozen intrinsics, no clock, no chance, no way out. */
import "ses";
import { createScriptDate, createScriptMath } from "./determinism.ts";
import { WITHHELD_GLOBALS } from "./withheld.ts";

export interface LockedRealm {
  /** Evaluates a program whose globals are those of the language and the given ones. */
  evaluate(program: string, globals: Readonly<Record<string, unknown>>): unknown;
  /** Stack of an error with file, line and column per frame, which scripts cannot see. */
  stackOf(error: object): string;
}

/** SES puts this into the start compartment; its types do not know it. */
declare const getStackString: (error: object) => string;

/** Can be done once per realm. */
export function lockDownRealm(): LockedRealm {
  repairIntrinsics({
    overrideTaming: "severe",
    errorTaming: "safe",
    stackFiltering: "verbose",
    reporting: "none",
    consoleTaming: "unsafe",
    errorTrapping: "none",
    unhandledRejectionTrapping: "none",
  });
  const ScriptDate = createScriptDate();
  removeBackDoors();
  hardenIntrinsics();
  const language = { Date: ScriptDate, Math: harden(createScriptMath()) };
  return {
    evaluate: (program, globals) => {
      const compartment = new Compartment({ ...language, ...globals });
      for (const name of WITHHELD_GLOBALS) delete compartment.globalThis[name];
      return compartment.evaluate(program);
    },
    stackOf: (error) => getStackString(error) || keptFrames(error),
  };
}

/**
 * Once a function of the stack is collected as garbage, the engine keeps the frames of an error as
 * text and tells SES nothing of them.
 */
function keptFrames(error: object): string {
  const { stack } = error as { readonly stack?: unknown };
  if (typeof stack !== "string") return "";
  const isFrame = (line: string) => /^ +at /.test(line);
  return stack.split("\n").filter(isFrame).join("\n");
}

/** Ways to what is withheld that do not go through a global. */
function removeBackDoors(): void {
  Reflect.deleteProperty(Date.prototype, "toTemporalInstant");
  Reflect.deleteProperty(Object, Symbol.for("harden"));
}
