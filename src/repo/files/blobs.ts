import type { Git } from "../../platform/git/runner.ts";

const NEWLINE = 0x0a;

/**
 * Reads contents, one after the other in one process. What is missing from the repository is left
 * out.
 * @param blobs full hashes.
 * @param take is called with each, in the order asked; its bytes are valid during the call.
 */
export async function readBlobs(
  git: Git,
  root: string,
  blobs: readonly string[],
  take: (blob: string, content: Buffer) => void,
): Promise<void> {
  if (blobs.length === 0) return;
  const output = git.stream(["cat-file", "--batch", "--buffer"], {
    cwd: root,
    input: `${blobs.join("\n")}\n`,
  });
  let pending: Buffer[] = [];
  let size = 0;
  let needed = 0;
  for await (const chunk of output) {
    pending.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    size += chunk.length;
    if (size < needed) continue;
    const data = pending.length === 1 ? pending[0] : Buffer.concat(pending);
    if (data === undefined) continue;
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
    if (type === "missing") {
      used = headerEnd + 1;
      continue;
    }
    const start = headerEnd + 1;
    const end = start + Number(size);
    if (data.length <= end) return { used, next: end + 1 - used };
    take(blob, data.subarray(start, end));
    used = end + 1;
  }
}
