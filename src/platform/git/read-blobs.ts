const NEWLINE = 0x0a;

/**
 * Reads contents, one after the other in one process. What is missing from the repository is left
 * out.
 * @param blobs full hashes.
 * @param take is called with each, in the order asked; its bytes are valid during the call.
 */
export async function readBlobs<Options extends object>(
  git: {
    stream(
      args: readonly string[],
      options: Options & { readonly input: string },
    ): AsyncIterable<Uint8Array>;
  },
  blobs: readonly string[],
  options: Options,
  take: (blob: string, content: Buffer) => void,
): Promise<void> {
  if (blobs.length === 0) return;
  const output = git.stream(["cat-file", "--batch", "--buffer"], {
    ...options,
    input: `${blobs.join("\n")}\n`,
  });
  let pending: Buffer[] = [];
  let size = 0;
  let needed = 0;
  for await (const chunk of output) {
    pending.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    size += chunk.length;
    if (size < needed) continue;
    const data = Buffer.concat(pending);
    const { used, next } = takeWhole(data, take);
    needed = next;
    pending = [data.subarray(used)];
    size = data.length - used;
  }
}

/** @returns how many bytes were taken, and how many the next content needs to be whole. */
function takeWhole(
  data: Buffer,
  take: (blob: string, content: Buffer) => void,
): { readonly used: number; readonly next: number } {
  let used = 0;
  for (;;) {
    const headerEnd = data.indexOf(NEWLINE, used);
    if (headerEnd < 0) return { used, next: 0 };
    const [blob = "", type, size] = data.toString("latin1", used, headerEnd).split(" ");
    const start = headerEnd + 1;
    const end = start + Number(size);
    if (type === "missing") used = start;
    else if (data.length <= end) return { used, next: end + 1 - used };
    else {
      take(blob, data.subarray(start, end));
      used = end + 1;
    }
  }
}
