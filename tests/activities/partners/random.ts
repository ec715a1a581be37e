/** Random numbers that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const upTo = (most: number): number => Math.floor(next() * (most + 1));
  return {
    upTo,
    between: (from: number, to: number): number => from + upTo(to - from),
    isBelow: (chance: number): boolean => next() < chance,
    pick: <T>(of: readonly T[]): T => of[upTo(of.length - 1)]!,
    shuffled<T>(of: readonly T[]): T[] {
      const items = [...of];
      for (let at = items.length - 1; at > 0; at--) {
        const other = upTo(at);
        [items[at], items[other]] = [items[other]!, items[at]!];
      }
      return items;
    },
  };
}

export type Random = ReturnType<typeof randomFrom>;
