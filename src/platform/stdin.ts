import type { FileHead } from "./bounded-read.ts";

/** The first `limitBytes` of what comes on stdin; the rest is counted, not kept. */
export async function readStdin(limitBytes: number): Promise<FileHead> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let left = limitBytes;
  let omittedBytes = 0;
  for await (const chunk of Bun.stdin.stream()) {
    const kept = chunk.subarray(0, left);
    left -= kept.length;
    omittedBytes += chunk.length - kept.length;
    if (kept.length > 0) pieces.push(decoder.decode(kept, { stream: true }));
  }
  return { text: pieces.join(""), omittedBytes };
}
