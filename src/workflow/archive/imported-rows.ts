/** Rows of an exported run as they are here: with this machine's values, and ids that are free. */
import { join } from "node:path";
import { isRecord, parseJson } from "../../lib/json.ts";
import type { SqlValue } from "../../platform/sqlite/database.ts";
import { columnsOf, type Decision, type ExportedTable, isSafePath } from "./format.ts";

export type Row = Readonly<Record<string, SqlValue>>;

export interface ImportedAs {
  readonly id: string;
  /** What it was called where it was exported. */
  readonly exportedId: string;
  /** Absolute folder that it has here. */
  readonly folder: string;
  /** New ids of its records, by the old ones; empty where they stay. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Words that may be ids: they name files and folders too. */
const WORD = /[A-Za-z0-9_-]+/g;
const ID = /^[A-Za-z0-9._-]{1,200}$/;

/** The text with every old id replaced by its new one. */
export function withNewIds(text: string, ids: ReadonlyMap<string, string>): string {
  return ids.size === 0 ? text : text.replace(WORD, (word) => ids.get(word) ?? word);
}

/** Ids of records that a row holds. */
export function idsIn(table: ExportedTable, row: Row): readonly string[] {
  return columnsOf(table).flatMap(([name, decision]) => {
    const value = row[name];
    return decision === "id" && typeof value === "string" && value !== "" ? [value] : [];
  });
}

/** @returns why not, where the row is none of such a run. */
export function importedRow(table: ExportedTable, row: Row, as: ImportedAs): Row | string {
  const columns = new Map(columnsOf(table));
  const unknown = Object.keys(row).find((name) => !columns.has(name));
  if (unknown !== undefined) return `${table} has no column ${JSON.stringify(unknown)}`;
  const values: [string, SqlValue][] = [];
  for (const [name, decision] of columns) {
    if (typeof decision === "object") {
      values.push([name, decision.local]);
      continue;
    }
    const value = row[name];
    if (value === undefined) continue;
    if (!isValue(value)) return `${table}.${name} holds no value of a row`;
    const imported = importedValue(decision, value, as);
    if (imported === undefined) return `${table}.${name} is not what it should be`;
    values.push([name, imported]);
  }
  return Object.fromEntries(values);
}

function isValue(value: unknown): value is SqlValue {
  return value === null || typeof value === "string" || typeof value === "number";
}

function importedValue(decision: Decision, value: SqlValue, as: ImportedAs): SqlValue | undefined {
  if (decision === "origin") return value === "go" ? value : "imported";
  if (typeof value !== "string") return decision === "run" ? undefined : value;
  switch (decision) {
    case "run":
      return value === as.exportedId ? as.id : undefined;
    case "id":
      return value === "" || (ID.test(value) && !value.includes(".."))
        ? newId(value, as)
        : undefined;
    case "ids":
    case "event":
      return withNewIds(value, as.ids);
    case "receipt":
      return importedReceipt(value, as);
    case "file":
    case "script":
      return filePath(value, as);
    case "state":
      return value === "conflict" ? value : "staged";
    default:
      return value;
  }
}

function newId(id: string, { ids }: ImportedAs): string {
  return ids.get(id) ?? id;
}

function filePath(path: string, { folder, ids }: ImportedAs): string | undefined {
  return isSafePath(path) ? join(folder, withNewIds(path, ids)) : undefined;
}

function importedReceipt(json: string, as: ImportedAs): string | undefined {
  const receipt = parseJson(json);
  if (!isRecord(receipt)) return undefined;
  const { patch } = receipt;
  const path = typeof patch === "string" && patch !== "" ? filePath(patch, as) : "";
  if (path === undefined) return undefined;
  return JSON.stringify({ ...(parseJson(withNewIds(json, as.ids)) as object), patch: path });
}
