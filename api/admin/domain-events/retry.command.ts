import { audited } from '../../../db/administration/audit/audit.writes';
import { givenUpWith, reviveDelivery } from '../../../db/administration/domain-event/event-delivery.writes';
import { eventPosition } from '../../../db/administration/domain-event/unsent-event.reads';
import { earnsByEvent } from '../../../db/partners/membership/own-partner.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Consumer } from '../../../workflows/administration/domain-event/consumers.rules';
import { refusal } from '../../../workflows/errors';
import type { Actor } from '../actor';

/** Makes an event that was given up due again for a consumer. Refused: EVENT_NOT_FOUND, FORBIDDEN, NOT_DEAD. */
export const retryGivenUp = (
  db: Db,
  { id, consumer }: { id: string; consumer: Consumer },
  actor: Actor,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const position = await eventPosition(tx, id);
    if (position === null) throw refusal('EVENT_NOT_FOUND');
    // A payment that is counted earns, and so does the return of a chargeback.
    if (actor.actorId !== null && (await earnsByEvent(tx, actor.actorId, position)))
      throw refusal('FORBIDDEN', 'You cannot make an event of your own network due again.');
    const delivery = { consumer, position };
    if (!(await reviveDelivery(tx, delivery))) {
      const earlier = await givenUpWith(tx, delivery);
      const unlessFirst = `This event was given up with an earlier one: retry event ${String(earlier)} first.`;
      throw refusal('NOT_DEAD', earlier === null ? 'This event is not given up.' : unlessFirst);
    }
    await audited(tx, actor, 'event.retry', id, { state: 'DEAD' }, { state: 'DUE' }, { consumer });
  });
