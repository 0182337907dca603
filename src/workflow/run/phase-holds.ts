/** Phases that several scripts of one run are in: each is active as long as one of them says so. */

export interface PhaseHolds {
  /** What one script says of its phases; `release` when it is over, whatever it still holds. */
  forScript(): { set(name: string, active: boolean): void; release(): void };
}

/** @param onChange is told when a phase gains its first or loses its last script. */
export function createPhaseHolds(onChange: (name: string, active: boolean) => void): PhaseHolds {
  const holders = new Map<string, number>();
  function change(name: string, by: 1 | -1): void {
    const before = holders.get(name) ?? 0;
    holders.set(name, before + by);
    if (before === 0 || before + by === 0) onChange(name, by === 1);
  }
  return {
    forScript() {
      const held = new Set<string>();
      return {
        set(name, active) {
          if (held.has(name) === active) return;
          if (active) held.add(name);
          else held.delete(name);
          change(name, active ? 1 : -1);
        },
        release() {
          for (const name of held) change(name, -1);
          held.clear();
        },
      };
    },
  };
}
