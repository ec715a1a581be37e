import { audited } from '../../../db/administration/audit/audit.writes';
import {
  confirmEvent,
  lockDecided,
  reviveEvent,
  type DecidedEvent,
} from '../../../db/administration/webhook/webhook-event.writes';
import { isAboutUser, isOwnerKnown } from '../../../db/administration/webhook/webhook-event-user.reads';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { Context } from '../../http/handler-context';
import type { Actor } from '../actor';

/**
 * Has a DEAD report applied again; with `confirm` whatever its amounts, and a WAITING one too. Refused: EVENT_NOT_FOUND;
 * NOT_REPLAYABLE for others, one that was replayed a moment ago included, where the text was deleted, and where one is
 * confirmed of which nobody knows yet whose money it is; FORBIDDEN where an administrator confirms what a provider reports
 * about themselves. The answer is stored with it: a repeated request neither replays it again nor records it again.
 */
export const replayEvent = (
  { db, conclude }: Pick<Context, 'db' | 'conclude'>,
  { id, confirm }: { id: string; confirm: boolean },
  actor: Actor,
): Promise<DecidedEvent> =>
  inTransaction(db, async (tx) => {
    const event = await lockDecided(tx, id);
    if (!event) throw refusal('EVENT_NOT_FOUND');
    const { status } = event;
    if (!event.hasBody)
      throw refusal('NOT_REPLAYABLE', 'The text of this event was deleted, so it cannot be replayed.');
    // One that waits is tried again by itself; confirming it is the decision that it waits for.
    if (status !== 'DEAD' && !(confirm && status === 'WAITING')) throw refusal('NOT_REPLAYABLE');
    if (confirm && event.kind !== 'INVESTMENT')
      throw refusal('NOT_REPLAYABLE', 'Only a report of an investment provider can be confirmed.');
    // Known before it is compared with the administrator: what is made known in between is not confirmed unseen.
    if (confirm && !(await isOwnerKnown(tx, id)))
      throw refusal(
        'NOT_REPLAYABLE',
        'This event cannot be confirmed before the investment that it is about is known here.',
      );
    if (confirm && actor.actorId !== null && (await isAboutUser(tx, id, actor.actorId)))
      throw refusal('FORBIDDEN', 'You cannot confirm a report about yourself or your own investment.');
    const at = new Date();
    if (confirm) await confirmEvent(tx, id, at);
    if (status === 'DEAD') await reviveEvent(tx, id);
    const next = status === 'DEAD' ? ('RECEIVED' as const) : status;
    await audited(
      tx,
      { ...actor, at },
      'webhook-event.replay',
      id,
      { status, lastError: event.lastError },
      { status: next, ...(confirm && { confirmed: true }) },
    );
    await conclude(tx, { id, status: next });
    return { ...event, status: next, replays: event.replays + (status === 'DEAD' ? 1 : 0) };
  });
