import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { park, unpark } from '../../../db/administration/operations/parking.writes';
import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { ParkingActivities } from '../../../workflows/kit/parking.contract';

export const parkingActivities = ({ db }: { db: Db }): ParkingActivities => ({
  park: (parked) => park(db, parked),

  unpark: ({ workflowId, decision, noteId, at }) =>
    inTransaction(db, async (tx) => {
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
    }),
});
