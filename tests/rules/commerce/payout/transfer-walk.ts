import { isSentTwice } from '../../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import { last, START, stepsOf, type Step, type Table, type Words, type World } from './transfer-model';

/** Walks all interleavings; `seen` is told of each step. */
function walk(table: Table, depth: number, words: Words, seen: (step: Step) => void): void {
  let worlds = [START];
  const known = new Set([JSON.stringify(START)]);
  seen({ world: START });
  for (let left = depth; left > 0; left--) {
    const next: World[] = [];
    for (const world of worlds)
      for (const step of stepsOf(table, world, words)) {
        const key = JSON.stringify(step.world);
        const isNew = !known.has(key);
        known.add(key);
        if (isNew) next.push(step.world);
        if (isNew || step.move !== undefined) seen(step);
      }
    worlds = next;
  }
}

/** Every world that can come to be within so many steps. */
export function explore(table: Table, depth: number, words: Words): World[] {
  const worlds = new Map<string, World>();
  walk(table, depth, words, ({ world }) => worlds.set(JSON.stringify(world), world));
  return [...worlds.values()];
}

/** The moves of the table that are made within so many steps. */
export function movesOf(table: Table, depth: number): string[] {
  const moves: string[] = [];
  walk(table, depth, 'false words', ({ move }) => move !== undefined && moves.push(move));
  return moves;
}

/** The world after the provider's statement has said of every attempt that it was carried out, as it does each day. */
export function afterReports(world: World): World {
  const { state, booked, keys } = world;
  const isExtra = keys.some(({ sent }, n) => {
    if (sent === 0) return false;
    if (sent > 1) return true;
    if (isSentTwice(state)) return booked !== n;
    return !(state === 'ASKED' && n === last(world)); // The current one is looked up and booked.
  });
  return { ...world, twice: world.twice || isExtra };
}

/** The steps to an end, with a provider that is reached, and calls that have arrived; null: there are none. */
export function wayOut(table: Table, from: World): number | null {
  const settled = from.keys.map((key) => ({ ...key, isInFlight: false }));
  let worlds: World[] = [{ ...from, claimed: null, keys: settled }];
  const known = new Set<string>();
  for (let steps = 0; steps < 12; steps++) {
    if (worlds.some(({ state }) => state === 'SENT' || state === 'CANCELLED')) return steps;
    const next = worlds.flatMap((world) => stepsOf(table, world, 'honest').map((step) => step.world));
    worlds = next.filter((world) => {
      const key = JSON.stringify(world);
      return !known.has(key) && known.add(key);
    });
  }
  return null;
}
