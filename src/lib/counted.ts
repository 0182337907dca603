/** A number with what it counts: `1 file`, `2 files`, `2 branches`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
