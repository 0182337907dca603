/** What a model of embeddings answered, looked at before a number of it counts. */
import { isRecord, parseJson } from "../../lib/json.ts";

/** The vectors in the order of the texts that were sent, or what is wrong with the answer. */
export type ReadAnswer = { readonly vectors: readonly Float32Array[] } | { readonly wrong: string };

/** @param count of texts that were sent. */
export function readEmbeddings(text: string, count: number): ReadAnswer {
  const document = parseJson(text);
  if (document === undefined) return { wrong: "it is no JSON, or not all of it" };
  const data = isRecord(document) ? document.data : undefined;
  if (!Array.isArray(data)) return { wrong: 'it has no list "data"' };
  if (data.length !== count) {
    return { wrong: `it has ${data.length} vectors where ${count} texts were sent` };
  }
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [place, entry] of data.entries()) {
    const index = isRecord(entry) ? (entry.index ?? place) : undefined;
    if (typeof index !== "number" || !(index in vectors) || vectors[index] !== undefined) {
      return { wrong: "it does not say for each text once which vector is its own" };
    }
    vectors[index] = readNumbers(isRecord(entry) ? entry.embedding : undefined);
    if (vectors[index] === undefined) return { wrong: `vector ${index} is no list of numbers` };
  }
  const read = vectors.filter((vector) => vector !== undefined);
  const lengths = new Set(read.map(({ length }) => length));
  if (lengths.size > 1) return { wrong: "its vectors are of different lengths" };
  return { vectors: read };
}

/** `undefined` for what is empty, or holds anything but numbers of the size that is stored. */
function readNumbers(embedding: unknown): Float32Array | undefined {
  if (!Array.isArray(embedding) || embedding.length === 0) return undefined;
  if (!embedding.every((value) => typeof value === "number")) return undefined;
  const vector = Float32Array.from(embedding);
  return vector.every(Number.isFinite) ? vector : undefined;
}
