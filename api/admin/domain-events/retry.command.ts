import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { reviveDelivery } from '../../../db/administration/domain-event/event-delivery.writes';
import { eventPosition } from '../../../db/administration/domain-event/unsent-event.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Consumer } from '../../../workflows/administration/domain-event/consumers.rules';
import { refusal } from '../../../workflows/errors';
import type { Actor } from '../actor';

/** Makes an event that was given up due again for a consumer. Refused: EVENT_NOT_FOUND, NOT_DEAD. */
export const retryGivenUp = (
  db: Db,
  { id, consumer }: { id: string; consumer: Consumer },
  actor: Actor,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const position = await eventPosition(tx, id);
    if (position === null) throw refusal('EVENT_NOT_FOUND');
    if (!(await reviveDelivery(tx, { consumer, position })))
      throw refusal('NOT_DEAD', 'This event is not given up.');
    await recordAudit(tx, {
      ...actor,
      action: 'event.retry',
      entityType: 'event',
      entityId: id,
      previous: { state: 'DEAD', consumer },
      next: { state: 'DUE', consumer },
      at: new Date(),
    });
  });
