import { audited } from '../../../db/administration/audit/audit.writes';
import {
  discardEvent,
  lockDecided,
  type DecidedEvent,
} from '../../../db/administration/webhook/webhook-event.writes';
import { isAboutUser } from '../../../db/administration/webhook/webhook-event-user.reads';
import { forgetReported } from '../../../db/investment/reconciliation/discarded-report.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal, refusal } from '../../../workflows/errors';
import type { Context } from '../../http/handler-context';
import type { Actor } from '../actor';

/**
 * Discards a DEAD or WAITING report; returns it as it was. One that was discarded for the same reason is answered without
 * another record. Refused: EVENT_NOT_FOUND; EVENT_NOT_DISCARDABLE for others; FORBIDDEN where an investment provider reports
 * about the administrator. The answer is stored with it.
 */
export const discardReport = (
  { db, conclude }: Pick<Context, 'db' | 'conclude'>,
  { id, reason }: { id: string; reason: string },
  actor: Actor,
): Promise<DecidedEvent> =>
  inTransaction(db, async (tx) => {
    const event = await lockDecided(tx, id);
    if (!event) throw refusal('EVENT_NOT_FOUND');
    const { status, lastError } = event;
    if (status === 'DISCARDED' && lastError === reason) return event;
    if (status !== 'DEAD' && status !== 'WAITING')
      throw businessRefusal('EVENT_NOT_DISCARDABLE', 'Only an event that is dead or waits can be discarded.');
    if (actor.actorId !== null && (await isAboutUser(tx, id, actor.actorId)))
      throw refusal('FORBIDDEN', 'You cannot discard a report about yourself or your own investment.');
    const at = new Date();
    await discardEvent(tx, id, reason, at);
    await forgetReported(tx, id);
    const next = { status: 'DISCARDED' as const };
    await audited(
      tx,
      { ...actor, at },
      'webhook-event.discard',
      id,
      { status, lastError },
      { ...next, reason },
    );
    await conclude(tx, { id, ...next });
    return event;
  });
