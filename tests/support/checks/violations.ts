import { brokenInvariants } from '../../../db/invariants/broken.reads';
import type { Db } from '../../../db/sql/query';

/** Longer than any test takes: what has no process in a test's world is not overdue there. */
const PATIENCE_SECONDS = 3_600;

/** A line for each violated invariant; empty if all hold. */
export async function violations(db: Db): Promise<string[]> {
  const broken = await brokenInvariants(db, { patienceSeconds: PATIENCE_SECONDS });
  return broken.map(({ invariant, entity, detail }) => `${invariant} ${entity}: ${detail}`);
}
