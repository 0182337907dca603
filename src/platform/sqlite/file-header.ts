import { open } from "node:fs/promises";
import { fileError, systemCode } from "../file-error.ts";

/** What every database of SQLite begins with. */
const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
/** Where the mark of the program stands that a database belongs to. */
const APPLICATION_AT = 68;
const NO_FILE = ["ENOENT", "ENOTDIR", "EISDIR", "EACCES"];

/**
 * Whether a file is a database of SQLite that bears no program's mark, as all those of pallium do. It is
 * not opened as a database.
 * @throws PalliumError `io_failed`
 */
export async function looksForeign(path: string): Promise<boolean> {
  try {
    await using file = await open(path);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const isDatabase = bytesRead === HEADER_BYTES && buffer.toString("latin1").startsWith(MAGIC);
    return isDatabase && buffer.readUInt32BE(APPLICATION_AT) === 0;
  } catch (error) {
    if (NO_FILE.includes(systemCode(error) ?? "")) return false;
    throw fileError(error, "read", path);
  }
}
