import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { markRenewed, markRetrying, unpark } from '../../../db/administration/operations/parking.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { ParkingActivities } from '../../../workflows/kit/parking.contract';

type UnparkProcess = Parameters<ParkingActivities['unpark']>[0];

/**
 * Removes a process from the operators' list, or marks it as being tried again, and audits their decision, once. The
 * record names the order, under which the decision is found too.
 */
export async function unparkProcess(
  db: Db,
  { workflowId, decision, noteId, isStep = false, at: moment }: UnparkProcess,
  runId: string,
): Promise<void> {
  const at = new Date(moment);
  if (decision === 'renewed') return markRenewed(db, { workflowId, runId, at });
  await inTransaction(db, async (tx) => {
    const entry =
      decision === 'retry' && isStep
        ? await markRetrying(tx, workflowId, { noteId, at })
        : await unpark(tx, workflowId, at);
    if (!entry || decision === 'settled') return;
    const note = noteId === null ? null : await readNote(tx, noteId);
    const { orderId, reason, attempts } = entry;
    await recordAudit(tx, {
      actorId: note?.actorId ?? null,
      action: `operation.${decision}`,
      entityId: workflowId,
      previous: { reason, attempts },
      next: { decision, ...(orderId !== null && { orderId }), ...(note?.text && { note: note.text }) },
      clientAddress: note?.clientAddress ?? null,
      at,
    });
  });
}
