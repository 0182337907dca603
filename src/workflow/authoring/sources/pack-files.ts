/** The files of a source of packs, wherever they lie. Paths are relative, with `/`. */
export interface PackFiles {
  /** Names of the files in a folder, `""` for the top; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /**
   * Text of a regular file; `undefined` where there is none, where a link leads out of the source, or
   * where it is larger than `MOST_BYTES`.
   */
  read(path: string): Promise<string | undefined>;
}

/** Of a manifest or a script. */
export const MOST_BYTES = 1024 * 1024;
