/** Writes gzipped tar files as their contents come: no content is held in memory as a whole. */
import { PalliumError } from "../../lib/errors.ts";
import { tarEnd, tarHeader, tarPadding } from "../../lib/tar.ts";
import { writeFileDurable } from "../files.ts";
import { runningSha256 } from "../hash.ts";

export interface ArchiveEntry {
  readonly name: string;
  /** Bytes that `content` comes to. */
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** One entry as it was written. */
export interface WrittenEntry {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Replaces a file as a whole; what is written is the same for the same entries.
 * @param last makes the last entry of those before it.
 * @throws PalliumError `file_changed` for a content of another size; those of `writeFileDurable`, and what
 *   `entries` throws.
 */
export async function writeArchive(
  path: string,
  entries: AsyncIterable<ArchiveEntry>,
  last: (written: readonly WrittenEntry[]) => { readonly name: string; readonly text: string },
): Promise<readonly WrittenEntry[]> {
  const written: WrittenEntry[] = [];
  async function* bytes(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const entry of entries) written.push(yield* entryBytes(entry));
    const { name, text } = last(written);
    const content = new TextEncoder().encode(text);
    yield* entryBytes({ name, size: content.length, content: [content] });
    yield owned(tarEnd());
  }
  const packed = streamOf(bytes()).pipeThrough(new CompressionStream("gzip"));
  await writeFileDurable(path, packed);
  return written;
}

async function* entryBytes(
  entry: ArchiveEntry,
): AsyncGenerator<Uint8Array<ArrayBuffer>, WrittenEntry> {
  const { name, size } = entry;
  const hash = runningSha256();
  yield owned(tarHeader(entry));
  let left = size;
  for await (const piece of entry.content) {
    left -= piece.length;
    if (left < 0) break;
    hash.update(piece);
    yield owned(piece);
  }
  if (left !== 0) throw changed(name);
  const padding = tarPadding(size);
  if (padding.length > 0) yield owned(padding);
  return { name, bytes: size, sha256: hash.hex() };
}

function streamOf(
  bytes: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await bytes.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await bytes.return(undefined);
    },
  });
}

/** Streams take no memory that is shared between threads. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes);
}

function changed(name: string): PalliumError {
  return new PalliumError("file_changed", `a file changed while it was read: ${name}`, {
    hints: ["see who writes it, and try again once that is done"],
  });
}
