import type { Db } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import type { Dictionaries } from './fuzz-world';

const STATUSES = ['PENDING', 'HELD', 'APPROVED', 'PAID', 'REVERSED'] as const;

/** Commissions of a partner, and of others to adjust. */
export async function commissionsIn(db: Db, partnerId: string): Promise<Dictionaries> {
  const [own, others] = [[] as string[], [] as string[]];
  for (const status of STATUSES) {
    own.push((await make.commission(db, { partnerId, status })).id);
    others.push((await make.commission(db, { status })).id);
  }
  return {
    ownCommissions: own,
    commissions: others,
    periods: [new Date().toISOString().slice(0, 7)],
  };
}
