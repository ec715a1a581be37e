import { brokenInvariants } from '../../../db/invariants/broken.reads';
import type { Db } from '../../../db/sql/query';

/** A line for each violated invariant; empty if all hold. */
export async function violations(db: Db): Promise<string[]> {
  const broken = await brokenInvariants(db);
  return broken.map(({ invariant, entity, detail }) => `${invariant} ${entity}: ${detail}`);
}
