import type { Db } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { poolRun } from '../../support/builders/make/partners/pool-runs';
import { commissionsIn } from './fuzz-commissions';
import { membershipsIn } from './fuzz-memberships';
import { partnersIn } from './fuzz-partners';
import type { Dictionaries } from './fuzz-world';

/** The partner programme: the buyer's membership, the network below, commissions, links, fees and a pool. */
export async function programmeIn(db: Db, userId: string, spare: number): Promise<Dictionaries> {
  const { id: partnerId } = await make.partner(db, { userId });
  return {
    ...(await commissionsIn(db, partnerId)),
    ...(await membershipsIn(db, spare)),
    ...(await partnersIn(db, partnerId)),
    pools: [(await poolRun(db)).id],
  };
}
