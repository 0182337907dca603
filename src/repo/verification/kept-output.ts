/** The beginning and the end of output of any length, in bounded memory. */

const HEAD_BYTES = 256 * 1024;
const TAIL_BYTES = 4 * 1024 * 1024;

export interface KeptOutput {
  add(bytes: Uint8Array): void;
  /** What is kept, as UTF-8, with a line that marks the gap. */
  text(): string;
  /** Bytes that are in the gap. */
  lost(): number;
}

/** Keeps nothing at first. Of what is added the middle is dropped once head and tail are full. */
export function keepOutput(headBytes = HEAD_BYTES, tailBytes = TAIL_BYTES): KeptOutput {
  const head: Uint8Array[] = [];
  const tail: Uint8Array[] = [];
  let headSize = 0;
  let tailSize = 0;
  let lost = 0;

  function addToTail(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    tail.push(bytes);
    tailSize += bytes.length;
    for (let first = tail[0]; first !== undefined && tailSize > tailBytes; first = tail[0]) {
      const excess = tailSize - tailBytes;
      const dropped = Math.min(excess, first.length);
      if (dropped === first.length) tail.shift();
      else tail[0] = first.slice(dropped);
      tailSize -= dropped;
      lost += dropped;
    }
  }

  return {
    add(bytes) {
      const room = Math.min(headBytes - headSize, bytes.length);
      if (room > 0) head.push(bytes.slice(0, room));
      headSize += room;
      addToTail(bytes.slice(room));
    },
    text() {
      const [first, last] = [head, tail].map((part) => Buffer.concat(part).toString("utf8"));
      return lost === 0
        ? Buffer.concat([...head, ...tail]).toString("utf8")
        : `${first}\n[… ${lost} bytes cut …]\n${last}`;
    },
    lost: () => lost,
  };
}
