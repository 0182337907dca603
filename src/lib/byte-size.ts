/** Sizes as people write them; units are powers of 1024. */
const UNITS = ["", "k", "m", "g", "t"];
const SIZE = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/;

/** Bytes of a text such as `500M`, `1.5G`, `20 GiB` or `4096`; `undefined` for any other. */
export function parseByteSize(text: string): number | undefined {
  const [, digits = "", unit = ""] = SIZE.exec(text.trim().toLowerCase()) ?? [];
  if (digits === "") return undefined;
  const bytes = Math.round(Number(digits) * 1024 ** UNITS.indexOf(unit));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
