import { brokenInvariants } from '../../../db/invariants/broken.reads';
import type { Db } from '../../../db/sql/query';

/** What does not hold of everything that must hold whatever happened, in words; nothing when all is well. */
export async function violations(db: Db): Promise<string[]> {
  const broken = await brokenInvariants(db);
  return broken.map(({ invariant, entity, detail }) => `${invariant} ${entity}: ${detail}`);
}
