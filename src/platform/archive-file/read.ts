/** Reads gzipped tar files that anybody may have written, entry by entry. */
import { messageOf, PalliumError } from "../../lib/errors.ts";
import { readTarHeader, TAR_BLOCK, type TarHeader, tarPadding, withPax } from "../../lib/tar.ts";
import { isFile } from "../files.ts";

/** Pax records of a name and a size need no more. */
const PAX_LIMIT = 64 * 1024;

export interface ReadEntry extends TarHeader {
  /** To be read to its end before the next entry is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Plain files alone; whatever else a tar file can hold is refused.
 * @throws PalliumError `archive_not_found`, `archive_invalid`
 */
export async function* readArchive(path: string): AsyncGenerator<ReadEntry> {
  if (!(await isFile(path))) {
    throw new PalliumError("archive_not_found", `no file is at ${path}`, {
      hints: ["name the file that pallium workflow export wrote"],
    });
  }
  const source = createSource(path);
  try {
    let pax: Uint8Array | undefined;
    for (;;) {
      const header = readTarHeader(await source.take(TAR_BLOCK));
      if (typeof header === "string") throw archiveInvalid(path, `it ${header}`);
      if (header.kind === "end") {
        await source.take(TAR_BLOCK);
        return await source.assertOver();
      }
      if (header.kind === "pax") {
        if (header.size > PAX_LIMIT) throw archiveInvalid(path, "it is damaged");
        pax = await source.take(header.size);
        await source.take(tarPadding(header.size).length);
        continue;
      }
      const { name, size } = pax === undefined ? header : withPax(header, pax);
      pax = undefined;
      yield { name, size, content: source.pieces(size) };
      await source.take(tarPadding(size).length);
    }
  } finally {
    await source.close();
  }
}

/** @param why as a sentence. */
export function archiveInvalid(path: string, why: string): PalliumError {
  return new PalliumError("archive_invalid", `this is no run that was exported: ${path}: ${why}`, {
    hints: ["export it again, and compare the two files' checksums after they were copied"],
  });
}

interface Source {
  take(bytes: number): Promise<Uint8Array>;
  pieces(bytes: number): AsyncGenerator<Uint8Array>;
  /** @throws PalliumError `archive_invalid` where there is more, or the end was cut off. */
  assertOver(): Promise<void>;
  close(): Promise<void>;
}

function createSource(path: string): Source {
  const reader = Bun.file(path).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  let held: Uint8Array = new Uint8Array(0);
  async function read(): Promise<Uint8Array | undefined> {
    try {
      return (await reader.read()).value;
    } catch (error) {
      throw archiveInvalid(path, `it cannot be unpacked: ${messageOf(error)}`);
    }
  }
  async function more(): Promise<void> {
    const value = await read();
    if (value === undefined) throw archiveInvalid(path, "it ends too early");
    held = value;
  }
  async function* pieces(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (held.length === 0) await more();
      const piece = held.subarray(0, left);
      held = held.subarray(piece.length);
      left -= piece.length;
      if (piece.length > 0) yield piece;
    }
  }
  return {
    pieces,
    take: async (bytes) => Buffer.concat(await Array.fromAsync(pieces(bytes))),
    assertOver: async () => {
      while (held.length === 0) {
        const value = await read();
        if (value === undefined) return;
        held = value;
      }
      throw archiveInvalid(path, "it goes on after its end");
    },
    close: async () => {
      await reader.cancel().catch(() => {});
    },
  };
}
