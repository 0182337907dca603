import { describe, expect, test } from "bun:test";
import { resultOf, tryScript } from "../support/script-host.ts";

describe("allocation caps", () => {
  const HUGE = 100 * 1024 * 1024;
  const REFUSED: string[] = [
    `new Array(${HUGE})`,
    `Array(${HUGE})`,
    `new [].constructor(${HUGE})`,
    `new (class extends Array {})(${HUGE})`,
    `Array.from({ length: ${HUGE} })`,
    `(0, Array.from)({ length: ${HUGE} })`,
    `new ArrayBuffer(${HUGE})`,
    `new ArrayBuffer("${HUGE}")`,
    `new ArrayBuffer(1, { maxByteLength: ${HUGE} })`,
    `new ArrayBuffer(1).transfer(${HUGE})`,
    `new ArrayBuffer(1).transferToFixedLength(${HUGE})`,
    `new ArrayBuffer(1).transferToImmutable(${HUGE})`,
    `new Uint8Array(${HUGE})`,
    `new BigInt64Array(${HUGE / 8})`,
    `new (new Int8Array(1).constructor)(${HUGE})`,
    `new (class extends Uint8Array {})(${HUGE})`,
    `new Uint8Array({ length: ${HUGE} })`,
    `new Uint8Array(Object.assign([], { length: ${HUGE} }))`,
    `new Uint8Array("${HUGE}")`,
    `Uint8Array.from({ length: ${HUGE} })`,
    `Reflect.construct(Uint8Array, [${HUGE}], Object)`,
    `"x".repeat(${HUGE})`,
    `"xy".repeat(${HUGE / 2})`,
    `String.prototype.repeat.call({ toString: () => "x" }, ${HUGE})`,
    `"x".padStart(${HUGE})`,
    `"x".padEnd(${HUGE}, "ab")`,
  ];
  test.each(REFUSED)("%s is refused with a clear message", async (expression) => {
    const script = `try { ${expression}; return "allocated" } catch (e) { return [e instanceof RangeError, e.message] }`;
    expect(await resultOf(script)).toEqual([
      true,
      expect.stringMatching(
        / of \d+ (bytes|characters) is over the limit of 67108864 per allocation$/,
      ),
    ]);
  });

  test("sizes that change when they are read again are read once", async () => {
    const lying = `{ valueOf() { reads += 1; return reads === 1 ? 8 : ${HUGE} } }`;
    const script = `let reads = 0;
      const sizes = [
        () => new ArrayBuffer(${lying}).byteLength,
        () => new ArrayBuffer(1, { get maxByteLength() { reads += 1; return reads === 1 ? 8 : ${HUGE} } }).maxByteLength,
        () => new ArrayBuffer(1).transfer(${lying}).byteLength,
        () => "x".repeat(${lying}).length,
        () => "x".padEnd(${lying}).length,
        () => new Uint8Array({ get length() { reads += 1; return reads === 1 ? 8 : ${HUGE} } }).length,
      ];
      return sizes.map((size) => { reads = 0; return size() })`;
    expect(await resultOf(script)).toEqual([8, 8, 8, 8, 8, 8]);
  });

  test("what they wrap still works as the language says", async () => {
    const script = `
      class Mine extends Array {}
      const mine = new Mine(1, 2, 3);
      return [
        [Array().length, new Array().length, Array(3).length, Array("3"), new Array(1, 2), Array.of(7), Array.from("ab", (c) => c + c)],
        [mine instanceof Mine, mine.map((x) => x) instanceof Mine, [].constructor === Array, Array.isArray(Array(2))],
        [...new Uint8Array([1, 2])], [...new Uint8Array(new Set([3]))], [...new Uint16Array(new Uint8Array([4]))],
        [...new Uint8Array(new Uint8Array([9, 8, 7]).buffer, 1, 1)], [...Int8Array.of(5)], new Uint8Array().length,
        [new ArrayBuffer(2, { maxByteLength: 4 }).resizable, new ArrayBuffer(3).transfer().byteLength],
        ["ab".repeat(2), "a".padStart(3, "xy"), "a".padEnd(2), "".repeat(1e9)],
        ["repeat", "padStart", "from", "transfer"].map((name, i) =>
          [String.prototype, String.prototype, Array, ArrayBuffer.prototype][i][name]).map((f) => [f.name, f.length, "prototype" in f]),
      ]`;
    expect(await resultOf(script)).toEqual([
      [0, 0, 3, ["3"], [1, 2], [7], ["aa", "bb"]],
      [true, true, true, true],
      [1, 2],
      [3],
      [4],
      [8],
      [5],
      0,
      [true, 3],
      ["abab", "xya", "a ", ""],
      [
        ["repeat", 1, false],
        ["padStart", 1, false],
        ["from", 1, false],
        ["transfer", 0, false],
      ],
    ]);
  });
});

describe("speed", () => {
  test("1,000 calls in one parallel are one quick round trip", async () => {
    let first = 0;
    const script = `await agent("warm up");
      const answers = await parallel(Array.from({ length: 1000 }, (_, i) => i), (i) => agent("call " + i));
      return answers.length`;
    const { outcome } = await tryScript(script, {
      answer: ({ id, args }) => {
        if (id === 1) first = performance.now();
        return args[0] ?? null;
      },
    });
    expect(outcome).toMatchObject({ value: 1000 });
    expect(performance.now() - first).toBeLessThan(2000);
  });
});
