import { reconcile } from '../../db/ledger/reconciliation/reconciliation.transitions';
import { inLongTransaction } from '../../db/sql/long-transaction';
import type { Db } from '../../db/sql/query';
import type { JobWork } from '../administration/job/job-work';

/** The findings of one comparison. */
export interface LedgerFindings {
  /** The number of balances and checkpoints that differed from the sum of their entries; they are listed in ledger_drifts. */
  drifts: number;
  /** The number of transfers whose entries do not sum to zero. */
  unbalancedTransfers: number;
}

/** The daily comparison. `longDb` is a pool for long work: it reads the ledger. */
export const ledgerReconciliationWork =
  (longDb: Db): JobWork =>
  async ({ at }, signal) => {
    const found = await reconcileLedger(longDb, at, signal);
    return { done: found.drifts + found.unbalancedTransfers, words: wordsOfDrifts(found) };
  };

/** `at` names the comparison: repeated, it does not record its findings again. */
export const reconcileLedger = (longDb: Db, at: Date, signal: AbortSignal): Promise<LedgerFindings> =>
  inLongTransaction(longDb, signal, (tx) => reconcile(tx, at));

/** The findings, for people. */
export function wordsOfDrifts({ drifts, unbalancedTransfers }: LedgerFindings): string {
  if (drifts === 0 && unbalancedTransfers === 0) return 'Every balance is the sum of its entries.';
  return [
    `**${drifts} balances differ from their entries; ${unbalancedTransfers} transfers do not sum to zero.**`,
    'The balances are listed in ledger_drifts under the start time of this run.',
    'Find the write that bypassed the ledger, then correct the balance of a user by a new transfer. A row without a user is a',
    'checkpoint of the platform, which is right again: no transfer.',
  ].join('\n');
}
