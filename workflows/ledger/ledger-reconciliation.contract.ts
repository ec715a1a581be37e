import { defineProcess } from '../kit/process';

/** What one comparison found. */
export interface LedgerFindings {
  /** Balances that differ from the sum of their entries. They are kept in ledger_drifts. */
  drifts: number;
  /** Transfers whose entries don't sum to zero. */
  unbalancedTransfers: number;
}

/** Compares every balance with its entries. The database keeps them equal; this is how we would know if it didn't. */
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
