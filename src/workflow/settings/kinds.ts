/** What a setting may hold. Each kind says in words what it takes, and gives the value in one form. */
import type { Json } from "../../lib/json.ts";
import { MICROS_PER_DOLLAR, parseDollars } from "../../lib/money.ts";

export interface Kind {
  /** Completes "must be …". */
  readonly expects: string;
  /** The value in its one form; `undefined` for what it does not take. */
  read(value: Json): Json | undefined;
  /**
   * How narrow a value is, for settings that only bound: of two the larger leaves less room. Absent
   * where no value is the narrower one.
   */
  readonly narrowness?: (value: Json) => number;
}

const isText = (value: Json): value is string =>
  typeof value === "string" && value.trim() !== "" && !value.includes("\0");

export const text: Kind = {
  expects: "text",
  read: (value) => (isText(value) ? value.trim() : undefined),
};

/** Names or paths, as a list or as text with commas, which is how flags and variables have them. */
export const names: Kind = {
  expects: "a list of names",
  read(value) {
    const parts = typeof value === "string" ? value.split(",") : value;
    if (!Array.isArray(parts) || !parts.every(isText)) return undefined;
    const trimmed = parts.map((part) => part.trim());
    return trimmed.some((part) => part.includes(",")) ? undefined : trimmed.join(",");
  },
};

export const command: Kind = {
  expects: "a command: text for the shell, or a list of a program and its arguments",
  read(value) {
    if (isText(value)) return value;
    if (!Array.isArray(value) || value.length === 0 || !isText(value[0] ?? null)) return undefined;
    return value.every((part) => typeof part === "string" && !part.includes("\0"))
      ? value
      : undefined;
  },
};

export const shellCommand: Kind = {
  expects: "text for the shell",
  read: (value) => (isText(value) ? value : undefined),
};

/** @param narrower which of the two leaves less room; absent where neither does. */
export function flag(narrower?: boolean): Kind {
  return {
    expects: "true or false",
    read: (value) => (typeof value === "boolean" ? value : undefined),
    ...(narrower === undefined ? {} : { narrowness: (value: Json) => Number(value === narrower) }),
  };
}

/** A limit in whole numbers. */
export function whole(from: number, to = Number.MAX_SAFE_INTEGER): Kind {
  const range = to === Number.MAX_SAFE_INTEGER ? `from ${from}` : `from ${from} to ${to}`;
  return {
    expects: `a whole number ${range}`,
    read: (value) =>
      Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to
        ? value
        : undefined,
    narrowness: (value) => -Number(value),
  };
}

/** A limit whose 0 stands for none. */
export function wholeOrNone(to: number): Kind {
  return {
    ...whole(0, to),
    narrowness: (value) => (value === 0 ? Number.NEGATIVE_INFINITY : -Number(value)),
  };
}

export const dollars: Kind = {
  expects: "US dollars, such as 1.50",
  read(value) {
    const written = typeof value === "number" ? String(value) : value;
    if (typeof written !== "string") return undefined;
    return parseDollars(written) === undefined ? undefined : written.trim();
  },
  narrowness: (value) =>
    -(parseDollars(String(value)) ?? Number.POSITIVE_INFINITY) / MICROS_PER_DOLLAR,
};

/** What a reader takes that throws for what it does not. */
export function taken(expects: string, read: (value: string) => unknown, base: Kind = text): Kind {
  return {
    expects,
    read(value) {
      const given = base.read(value);
      if (typeof given !== "string") return undefined;
      try {
        read(given);
        return given;
      } catch {
        return undefined;
      }
    },
  };
}
