import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { unpark } from '../../../db/administration/operations/parking.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { ParkingActivities } from '../../../workflows/kit/parking.contract';

type UnparkProcess = Parameters<ParkingActivities['unpark']>[0];

/** Removes a process from the operators' list and audits their decision, once. */
export async function unparkProcess(
  db: Db,
  { workflowId, decision, noteId, at }: UnparkProcess,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await unpark(tx, workflowId)) || decision === 'settled') return;
    const note = noteId === null ? null : await readNote(tx, noteId);
    await recordAudit(tx, {
      actorId: note?.actorId ?? null,
      action: `operation.${decision}`,
      entityType: 'process',
      entityId: workflowId,
      previous: null,
      next: { decision },
      clientAddress: note?.clientAddress ?? null,
      at: new Date(at),
    });
  });
}
