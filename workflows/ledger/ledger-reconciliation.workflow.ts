import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { LONG_WORK } from '../kit/proxies';
import type { LedgerFindings, LedgerReconciliationActivities } from './ledger-reconciliation.contract';

const { reconcileLedger } = proxyActivities<LedgerReconciliationActivities>({
  ...LONG_WORK,
  summary: 'Compare balances with entries',
});

/** Runs daily. It corrects only checkpoints, which are sums: a difference has a cause, and a person has to find it. */
export async function ledgerReconciliation(): Promise<LedgerFindings> {
  const found = await reconcileLedger({ at: workflowInfo().startTime.toISOString() });
  setCurrentDetails(report(found));
  return found;
}

function report({ drifts, unbalancedTransfers }: LedgerFindings): string {
  if (drifts === 0 && unbalancedTransfers === 0) return 'Every balance is the sum of its entries.';
  return [
    `**${drifts} balances differ from their entries; ${unbalancedTransfers} transfers do not sum to zero.**`,
    'The balances are listed in ledger_drifts under the start time of this run.',
    'Find the write that bypassed the ledger, then correct the balance of a user by a new transfer. A row without a user is a',
    'checkpoint of the platform, which is right again: no transfer.',
  ].join('\n');
}
