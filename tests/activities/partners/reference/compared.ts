import type { Db } from '../../../../db/sql/query';
import { referenceCounts, storedCounts } from './stored/compare';
import type { RefCommission } from './facts';
import { randomFrom } from '../random';
import { rational } from './rational';
import { randomWorld } from './random-world';
import { Reference } from './reference';
import { referenceStep } from './reference-step';
import { RuleEngine } from './rule-engine';
import type { ReferenceTree } from './tree';
import { databaseStep } from './stored/database-step';
import { storeWorlds, type DrawnWorld } from './stored/store-worlds';

/** A number of seeds in a row. */
export const seedsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);

/** A random world and the reference that has played nothing of it. */
function drawn(seed: number, withholdingBp: number): DrawnWorld {
  const world = randomWorld(randomFrom(seed));
  const partners = world.partners.map((partner) => ({ ...partner }));
  return { world, reference: new Reference(partners, world.orders, rational(withholdingBp, 10_000)) };
}

/** Worlds have no rows in common, so that some are played at once. */
const LANES = 4;

/**
 * Plays the worlds of these seeds in the database and in the reference, and compares everything that was counted. The programme of
 * the database withholds `withholdingBp`.
 */
export async function compareWorlds(
  db: Db,
  seeds: readonly number[],
  withholdingBp = 0,
): Promise<{ commissions: number }> {
  const worlds = seeds.map((seed) => ({ seed, ...drawn(seed, withholdingBp) }));
  const stored = await storeWorlds(db, worlds);
  const [left, found] = [[...worlds.entries()], { commissions: 0 }];
  const lane = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [at, { seed, world, reference }] = next;
      for (const step of world.steps)
        await databaseStep(db, stored[at]!, step, referenceStep(reference, world, step));
      const counted = await storedCounts(db, stored[at]!);
      expect({ seed, ...counted }).toEqual({ seed, ...referenceCounts(reference) });
      found.commissions += counted.commissions.length;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return found;
}

const facts = (of: ReferenceTree & { commissions: readonly RefCommission[] }) => ({
  commissions: of.commissions
    .map((one) => {
      const back = one.back.map(({ netMinor, status }) => `${netMinor} ${status}`);
      return [one.partner, one.type, one.source, one.level, one.netMinor, one.status, ...back].join(' ');
    })
    .sort(),
  ranks: of.partners.map(({ rank }) => rank),
  sales: of.sales,
});

/** Plays the worlds of these seeds by the engine's rules in memory and in the reference, and compares all facts. */
export function compareRules(seeds: readonly number[], withholdingBp = 0): { commissions: number } {
  let commissions = 0;
  for (const seed of seeds) {
    const { world, reference } = drawn(seed, withholdingBp);
    const engine = new RuleEngine(world, withholdingBp);
    for (const step of world.steps) engine.take(step, referenceStep(reference, world, step));
    expect({ seed, ...facts(engine) }).toEqual({ seed, ...facts(reference) });
    commissions += engine.commissions.length;
  }
  return { commissions };
}
