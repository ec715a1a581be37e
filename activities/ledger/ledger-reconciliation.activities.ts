import { reconcile } from '../../db/ledger/reconciliation/reconciliation.transitions';
import { inLongTransaction } from '../../db/sql/long-transaction';
import type { Db } from '../../db/sql/query';
import type { LedgerReconciliationActivities } from '../../workflows/ledger/ledger-reconciliation.contract';
import { withHeartbeat } from '../heartbeat';

/** `longDb` is a pool for long work: the comparison reads the ledger. */
export const ledgerReconciliationActivities = ({
  longDb,
}: {
  longDb: Db;
}): LedgerReconciliationActivities => ({
  reconcileLedger: ({ at }) =>
    withHeartbeat((signal) => inLongTransaction(longDb, signal, (tx) => reconcile(tx, new Date(at)))),
});
