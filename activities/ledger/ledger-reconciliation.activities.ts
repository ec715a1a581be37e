import { reconcile } from '../../db/ledger/reconciliation.transitions';
import type { Db } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type { LedgerReconciliationActivities } from '../../workflows/ledger/ledger-reconciliation.contract';

export const ledgerReconciliationActivities = ({ db }: { db: Db }): LedgerReconciliationActivities => ({
  reconcileLedger: ({ at }) => inTransaction(db, (tx) => reconcile(tx, new Date(at))),
});
