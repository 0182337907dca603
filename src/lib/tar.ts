/**
 * Headers of tar files, as POSIX has them (ustar, and pax for what does not fit): plain files alone,
 * nothing of owners and times, so that equal contents have equal bytes.
 */
export const TAR_BLOCK = 512;

export interface TarHeader {
  readonly name: string;
  /** Bytes of the content. */
  readonly size: number;
}

const encoder = new TextEncoder();
const NAME_BYTES = 100;
/** Eleven octal digits hold no more. */
const MOST_IN_HEADER = 8 ** 11 - 1;
const CHECKSUM_AT = 148;
const CHECKSUM_END = 156;
const FILE = "0";
const PAX = "x";

/** What stands before the content of a file. */
export function tarHeader({ name, size }: TarHeader): Uint8Array {
  const isLong = encoder.encode(name).length > NAME_BYTES;
  const records = [
    ...(isLong ? [paxRecord("path", name)] : []),
    ...(size > MOST_IN_HEADER ? [paxRecord("size", String(size))] : []),
  ];
  const plain = block(isLong ? "long-name" : name, Math.min(size, MOST_IN_HEADER), FILE);
  if (records.length === 0) return plain;
  const pax = encoder.encode(records.join(""));
  return joined([block("pax", pax.length, PAX), pax, tarPadding(pax.length), plain]);
}

/** Zeros that fill the last block of a content. */
export function tarPadding(size: number): Uint8Array {
  return new Uint8Array((TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK);
}

/** What a tar file ends with. */
export function tarEnd(): Uint8Array {
  return new Uint8Array(2 * TAR_BLOCK);
}

/** A header as it is read: of a file, or of pax records on the file that comes next. */
export interface ReadHeader extends TarHeader {
  readonly kind: "file" | "pax" | "end";
}

/** @returns why not, in words that follow "it", where the block is no header of a plain file. */
export function readTarHeader(bytes: Uint8Array): ReadHeader | string {
  if (bytes.every((byte) => byte === 0)) return { name: "", size: 0, kind: "end" };
  if (octal(bytes, CHECKSUM_AT, CHECKSUM_END) !== checksum(bytes)) return "is damaged";
  const size = octal(bytes, 124, 136);
  if (size === undefined) return "is damaged";
  const type = String.fromCharCode(bytes[156] ?? 0);
  const prefix = field(bytes, 345, 500);
  const name = (prefix === "" ? "" : `${prefix}/`) + field(bytes, 0, NAME_BYTES);
  if (type === PAX) return { name, size, kind: "pax" };
  return type === FILE || type === "\0"
    ? { name, size, kind: "file" }
    : `holds something that is no plain file: ${name}`;
}

/** Takes what pax records say of the name and the size of a file. */
export function withPax(header: TarHeader, pax: Uint8Array): TarHeader {
  const text = new TextDecoder().decode(pax);
  const path = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1];
  const size = /(?:^|\n)\d+ size=(\d+)\n/.exec(text)?.[1];
  return { name: path ?? header.name, size: size === undefined ? header.size : Number(size) };
}

function block(name: string, size: number, type: string): Uint8Array {
  const bytes = new Uint8Array(TAR_BLOCK);
  const put = (text: string, at: number) => bytes.set(encoder.encode(text), at);
  put(name, 0);
  put("0000600\0", 100);
  put("0000000\0", 108);
  put("0000000\0", 116);
  put(`${size.toString(8).padStart(11, "0")}\0`, 124);
  put(`${"0".repeat(11)}\0`, 136);
  put(type, 156);
  put("ustar\x0000", 257);
  put(`${checksum(bytes).toString(8).padStart(6, "0")}\0 `, CHECKSUM_AT);
  return bytes;
}

/** Of a header whose own place counts as blanks. */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const [at, byte] of bytes.entries()) {
    sum += at >= CHECKSUM_AT && at < CHECKSUM_END ? 0x20 : byte;
  }
  return sum;
}

/** A record begins with its own length, which counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = encoder.encode(rest).length;
  let length = bytes + String(bytes).length;
  length = bytes + String(length).length;
  return length + rest;
}

function field(bytes: Uint8Array, from: number, to: number): string {
  const end = bytes.subarray(from, to).indexOf(0);
  return new TextDecoder().decode(bytes.subarray(from, end < 0 ? to : from + end));
}

function octal(bytes: Uint8Array, from: number, to: number): number | undefined {
  const text = field(bytes, from, to).trim();
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
