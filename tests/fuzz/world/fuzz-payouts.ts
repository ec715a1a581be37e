import type { Db } from '../../../db/sql/query';
import { CARD } from '../../support/builders/investing/withdrawing';
import {
  decision,
  payee,
  payoutSteps,
  requested,
  saveDetails,
} from '../../support/builders/paying-out/payees';
import type { Dictionaries } from './fuzz-world';

/** Payouts at each stage that people decide on, of both kinds; the buyer has details, to request one. */
export async function payoutsIn(db: Db, userId: string, spare: number): Promise<Dictionaries> {
  await saveDetails(db, userId, CARD);
  const steps = payoutSteps(db, null);
  const made = async (kind: 'PARTNER' | 'WALLET'): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < spare; n++) {
      const id = await requested(steps, await payee(db, { kind }));
      if (n > 0) await steps.approvePayout(await decision(db, id));
      if (n > 1) await steps.processPayout(await decision(db, id));
      ids.push(id);
    }
    return ids;
  };
  return { payouts: await made('PARTNER'), walletWithdrawals: await made('WALLET') };
}
