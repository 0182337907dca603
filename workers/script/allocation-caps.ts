/**
 * Limits what one call can allocate: a single huge buffer or string outruns any watch on the
 * memory of the process. Must run before lockdown, which freezes what is patched here. What grows
 * step by step (`+`, `push`, `join`, `split`, spread) is left to that watch.
 */

type AnyConstructor = new (...args: never[]) => object;
type AnyFunction = (...args: never[]) => unknown;
/** Returns the arguments to go on with, each read once, so that a second look cannot differ. */
type ArgumentCheck = (args: readonly unknown[], name: string) => readonly unknown[];

const ARRAY_SLOT_BYTES = 8;

/** @param limit bytes of one buffer or array, characters of one string. */
export function capAllocations(limit: number): void {
  const assertWithin = (size: number, name: string, unit: string) => {
    if (!(size > limit)) return;
    throw new RangeError(`${name} of ${size} ${unit} is over the limit of ${limit} per allocation`);
  };
  capBuffers((bytes, name) => assertWithin(bytes, name, "bytes"));
  capStrings((length, name) => assertWithin(length, name, "characters"));
}

type AssertSize = (size: number, name: string) => void;

function capBuffers(assertBytes: AssertSize): void {
  const CappedArray = capConstructor(Array, (args, name) => {
    const [length] = args;
    if (args.length === 1 && typeof length === "number") {
      assertBytes(length * ARRAY_SLOT_BYTES, name);
    }
    return args;
  });
  capArrayFrom(CappedArray);
  capConstructor(ArrayBuffer, ([length, options], name) => {
    const bytes = integer(length);
    const maxByteLength = (options as { maxByteLength?: unknown } | undefined)?.maxByteLength;
    const most = maxByteLength === undefined ? undefined : integer(maxByteLength);
    assertBytes(Math.max(bytes, most ?? 0), name);
    return most === undefined ? [bytes] : [bytes, { maxByteLength: most }];
  });
  for (const method of ["transfer", "transferToFixedLength"]) {
    patchMethod(ArrayBuffer.prototype, method, (original) => {
      return function (this: ArrayBuffer, length?: unknown) {
        const bytes = length === undefined ? this.byteLength : integer(length);
        assertBytes(bytes, `ArrayBuffer.${method}`);
        return Reflect.apply(original, this, [bytes]);
      };
    });
  }
  for (const type of typedArrays()) capTypedArray(type, assertBytes);
}

function typedArrays(): readonly (AnyConstructor & { readonly BYTES_PER_ELEMENT: number })[] {
  return [
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    BigInt64Array,
    BigUint64Array,
    Float16Array,
    Float32Array,
    Float64Array,
  ];
}

function capTypedArray(
  type: AnyConstructor & { readonly BYTES_PER_ELEMENT: number },
  assertBytes: AssertSize,
): void {
  capConstructor(type, ([source, ...rest], name) => {
    if (typeof source !== "object" || source === null) {
      const length = integer(source);
      assertBytes(length * type.BYTES_PER_ELEMENT, name);
      return [length, ...rest];
    }
    if (ArrayBuffer.isView(source) || isArrayBuffer(source)) return [source, ...rest];
    if (Array.isArray(source)) assertBytes(source.length * type.BYTES_PER_ELEMENT, name);
    return [Array.from(source as ArrayLike<unknown>), ...rest];
  });
}

/** `Array.from` reads a length and builds through its receiver, which is capped unless it is absent. */
function capArrayFrom(CappedArray: AnyConstructor): void {
  patchMethod(Array, "from", (original) => {
    return function (this: unknown, ...args: unknown[]) {
      return Reflect.apply(original, typeof this === "function" ? this : CappedArray, args as []);
    };
  });
}

function capStrings(assertLength: AssertSize): void {
  patchMethod(String.prototype, "repeat", (original) => {
    return function (this: unknown, count: unknown) {
      const text = stringOf(this, "repeat");
      const times = integer(count);
      assertLength(text.length * times, "String.repeat");
      return Reflect.apply(original, text, [times]);
    };
  });
  for (const method of ["padStart", "padEnd"]) {
    patchMethod(String.prototype, method, (original) => {
      return function (this: unknown, length: unknown, ...fill: unknown[]) {
        const text = stringOf(this, method);
        const target = integer(length);
        assertLength(target, `String.${method}`);
        return Reflect.apply(original, text, [target, ...fill]);
      };
    });
  }
}

function stringOf(receiver: unknown, method: string): string {
  if (receiver === undefined || receiver === null) {
    throw new TypeError(`String.prototype.${method} was called on ${receiver}`);
  }
  return `${receiver as string}`;
}

/** ToIntegerOrInfinity; a negative or infinite one is refused by the method it is meant for. */
function integer(value: unknown): number {
  const number = +(value as number);
  return Number.isNaN(number) ? 0 : Math.trunc(number);
}

const byteLengthOf = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength")?.get;

function isArrayBuffer(value: object): boolean {
  try {
    byteLengthOf?.call(value);
    return true;
  } catch {
    return false;
  }
}

function patchMethod(
  owner: object,
  name: string,
  patch: (original: AnyFunction) => (this: never, ...args: never[]) => unknown,
): void {
  const original: AnyFunction = Reflect.get(owner, name);
  const patched = patch(original);
  /** A method as the language has them: no `prototype`, not a constructor. */
  const method = {
    [name](this: never, ...args: never[]) {
      return Reflect.apply(patched, this, args);
    },
  }[name];
  Object.defineProperty(method, "length", { value: original.length });
  Object.defineProperty(owner, name, { value: method });
}

/** Puts a proxy in the place of a global constructor, also where its instances refer to it. */
function capConstructor(original: AnyConstructor, check: ArgumentCheck): AnyConstructor {
  const capped: AnyConstructor = new Proxy(original, {
    construct: (target, args, newTarget) =>
      Reflect.construct(
        target,
        check(args, original.name) as never[],
        newTarget === capped ? target : newTarget,
      ),
    apply: (target, receiver, args) =>
      Reflect.apply(
        target as unknown as AnyFunction,
        receiver,
        check(args, original.name) as never[],
      ),
  });
  Object.defineProperty(original.prototype, "constructor", { value: capped });
  Object.defineProperty(globalThis, original.name, { value: capped });
  return capped;
}
