/** What files say of one another, and the links that follow. Paths are relative to the repository, with `/`. */

export type Language =
  | "javascript"
  | "go"
  | "python"
  | "rust"
  | "java"
  | "kotlin"
  | "csharp"
  | "ruby"
  | "php"
  | "c";

/**
 * `export`: a module whose names this one hands on. `import`: a module, package or type by its name. `include`: a file by its path.
 * `module`: a file that is part of this one (`mod x;`). `use`: names without an import, in `names`.
 */
export type ReferenceKind = "import" | "export" | "include" | "module" | "use";

export interface Reference {
  /** As the language writes it; empty for `use`. */
  readonly specifier: string;
  readonly kind: ReferenceKind;
  /** Names taken from it, where resolution needs them. */
  readonly names?: readonly string[];
}

/** What one file says of others, found without knowing any other file. Stored by blob: plain JSON. */
export interface Scan {
  readonly references: readonly Reference[];
  /**
   * What others can name, where resolution needs it: exported names (JavaScript), the package and
   * then its top-level names (Go, Java, Kotlin, Ruby, PHP), or names with their namespace (C#).
   */
  readonly declares: readonly string[];
}

/**
 * `import`, `include`, `module`: as the reference. `package`: imported as part of a package, without
 * a name of this file. `call`: used by name without an import.
 */
export type LinkKind = "import" | "include" | "module" | "package" | "call";

/** One file uses another. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly kind: LinkKind;
}

export interface SourceTree {
  /** Every file of the repository now: tracked ones, and new ones that are not ignored. */
  readonly paths: ReadonlySet<string>;
  scan(path: string): Scan | undefined;
  /** Text of a manifest (see `isManifest`), `undefined` where there is none. */
  manifest(path: string): string | undefined;
}
