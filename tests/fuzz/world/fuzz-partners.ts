import { v7 } from 'uuid';
import { insertLink } from '../../../db/partners/link/partner-link.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import type { Dictionaries } from './fuzz-world';

/** A partner with another below and a link. */
export async function partnersIn(db: Db, partnerId: string): Promise<Dictionaries> {
  const below = await make.partner(db, { sponsorId: partnerId });
  const id = v7();
  await inTransaction(db, (tx) =>
    insertLink(tx, {
      ...{ id, partnerId, code: 'FUZZ2345', name: 'Fuzzed', campaign: null },
      ...{ landingPath: '/', createdAt: new Date() },
    }),
  );
  return { partners: [partnerId, below.id], referralLinks: [id] };
}
