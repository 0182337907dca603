import { describe, expect, test } from "bun:test";
import { cosine, readVector, vectorBytes } from "../../../../src/sessions/embeddings/vectors.ts";

const vector = (...numbers: number[]) => Float32Array.from(numbers);

describe("two vectors", () => {
  test.each([
    [[1, 0], [1, 0, 0], -1],
    [[0, 0], [1, 0], -1],
    [[1, 0], [5, 0], 1],
    [[1, 0], [0, 2], 0],
    [[1, 0], [-2, 0], -1],
  ])("%j and %j are %d apart (computed oracle of cosine)", (a, b, expected) => {
    expect(cosine(vector(...a), vector(...b))).toBe(expected);
  });
});

test("a vector is stored as float32, the lowest byte first, and read from any place", () => {
  const bytes = vectorBytes(vector(1, -2.5));
  expect([...bytes]).toEqual([0, 0, 128, 63, 0, 0, 32, 192]);
  const moved = new Uint8Array(9);
  moved.set(bytes, 1);
  expect(readVector(moved.subarray(1))).toEqual(vector(1, -2.5));
});
