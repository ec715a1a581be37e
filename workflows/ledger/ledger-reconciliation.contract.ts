import { defineProcess } from '../kit/process';

/** The findings of one comparison. */
export interface LedgerFindings {
  /** The number of balances and checkpoints that differed from the sum of their entries; they are listed in ledger_drifts. */
  drifts: number;
  /** The number of transfers whose entries do not sum to zero. */
  unbalancedTransfers: number;
}

/** Compares every balance with its entries. The database keeps them equal; this finds out if it does not. */
export const ledgerReconciliationProcess = defineProcess<Record<string, never>, LedgerFindings>({
  type: 'ledgerReconciliation',
  queue: 'batch',
  repeatable: true,
  area: 'ledger',
  id: () => 'ledger-reconciliation',
  entityId: () => 'ledger',
  summary: () => 'Balances against entries',
});

export interface LedgerReconciliationActivities {
  /** `at`, in ISO 8601, names the comparison: repeated, it does not record its findings again. */
  reconcileLedger: (comparison: { at: string }) => Promise<LedgerFindings>;
}
