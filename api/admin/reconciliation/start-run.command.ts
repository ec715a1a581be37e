import { audited } from '../../../db/administration/audit/audit.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import {
  reconciliationProcess,
  type ReconciliationInput,
} from '../../../workflows/commerce/reconciliation/reconciliation.contract';
import type { Processes } from '../../http/temporal/temporal';
import type { Actor } from '../actor';

/** Records who asks for a comparison, and starts it; one that runs already goes on. */
export async function startReconciliation(
  { db, processes }: { db: Db; processes: Processes },
  day: ReconciliationInput,
  by: Actor,
): Promise<{ workflowId: string; outcome: 'STARTED' | 'RUNNING' }> {
  const entityId = reconciliationProcess.entityId(day);
  await inTransaction(db, (tx) =>
    audited(tx, by, 'reconciliation.start', entityId, null, { provider: day.provider, day: day.day }),
  );
  const started = await processes.start(reconciliationProcess, day);
  return {
    workflowId: reconciliationProcess.id(day),
    outcome: started === 'started' ? 'STARTED' : 'RUNNING',
  };
}
