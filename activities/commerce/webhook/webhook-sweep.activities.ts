import { overdueOrders, unbegunOrders } from '../../../db/commerce/order/order.reads';
import { undeliveredSandboxEvents } from '../../../db/commerce/sandbox/sandbox.reads';
import { unstartedWebhookEvents } from '../../../db/administration/webhook/webhook-event.reads';
import { markEventDead } from '../../../db/administration/webhook/webhook-event.transitions';
import {
  markStartsFailed,
  markWebhookEventsStarted,
} from '../../../db/administration/webhook/webhook-event.writes';
import { isTemporalAway } from '../../../db/program/temporal/away';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { outboxSenderProcess } from '../../../workflows/administration/outbox/outbox-sender.contract';
import { checkoutProcess } from '../../../workflows/commerce/checkout/checkout.contract';
import { fulfilmentProcess } from '../../../workflows/commerce/fulfilment/fulfilment.contract';
import { totalLabel } from '../../../workflows/commerce/order/order-label.rules';
import { paymentEventProcess } from '../../../workflows/commerce/payment-event/payment-event.contract';
import { sandboxWebhookProcess } from '../../../workflows/commerce/sandbox/sandbox-webhook.contract';
import type { WebhookSweepActivities } from '../../../workflows/commerce/webhook/webhook-sweep.contract';
import { providerEventProcess } from '../../../workflows/investment/provider-event/provider-event.contract';
import type { ProcessDefinition } from '../../../workflows/kit/process';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import { inBatches } from './in-batches';

/** Starts a process that nobody waits for; one that was started before is left as it is. */
export type StartProcess = <Input>(
  process: ProcessDefinition<Input>,
  input: Input,
) => Promise<'started' | 'already started'>;

/** Younger events are skipped: the request that stored them is about to start them. */
const GRACE_MS = 10_000;
/** Orders that are due for less are skipped: their processes are about to cancel them. */
const OVERDUE_MS = 10 * 60_000;
/** The sandbox tries to deliver for this long. */
const DELIVERED_WITHIN_MS = 3 * DAY_MS;
const BATCH = 200;
/** Sweeps that start others and fail to start an event, until it is dead. */
const MOST_FAILURES = 10;
const UNSTARTABLE = 'Its process could not be started.';

/**
 * The safety net under webhooks and checkouts: starts events that were stored while Temporal was away, or just before a
 * crash, and follows orders again: unpaid ones that would hold goods for ever, and paid ones that nobody would begin.
 */
export const webhookSweepActivities = ({
  db,
  start,
}: {
  db: Db;
  start: StartProcess;
}): WebhookSweepActivities => ({
  async startForgottenWebhooks({ at }) {
    const receivedBefore = before(at, GRACE_MS);
    const events = await unstartedWebhookEvents(db, { receivedBefore, at, limit: BATCH });
    let hasStarted = false;
    const started = await inBatches(events, async (group) => {
      const outcomes = await Promise.allSettled(
        group.map(({ id, kind, provider, externalEventId, replays }) =>
          start(kind === 'PAYMENT' ? paymentEventProcess : providerEventProcess, {
            provider,
            externalEventId,
            webhookEventId: id,
            replays,
          }),
        ),
      );
      const idsWhere = (isSo: (outcome: PromiseSettledResult<unknown>) => boolean) =>
        outcomes.flatMap((outcome, index) => (isSo(outcome) ? (group[index]?.id ?? []) : []));
      const startedEvents = idsWhere(({ status }) => status === 'fulfilled');
      await markWebhookEventsStarted(db, startedEvents, new Date(at));
      hasStarted ||= startedEvents.length > 0;
      const failed = (isAway: boolean) =>
        idsWhere((outcome) => outcome.status === 'rejected' && isTemporalAway(outcome.reason) === isAway);
      await countFailedStarts(db, failed(false), { at, isTheirs: hasStarted });
      // A server that throttles starts some and refuses others: no event is to blame.
      await countFailedStarts(db, failed(true), { at, isTheirs: false });
      return outcomes;
    });
    return { started, full: events.length === BATCH };
  },

  async startForgottenSandboxEvents({ at }) {
    const events = await undeliveredSandboxEvents(db, {
      dueAfter: before(at, DELIVERED_WITHIN_MS),
      dueBefore: before(at, GRACE_MS),
      limit: BATCH,
    });
    const started = await inBatches(events, (group) =>
      Promise.allSettled(group.map((event) => start(sandboxWebhookProcess, event))),
    );
    return { started };
  },

  async startForgottenCheckouts({ at }) {
    return { started: await startForgottenOrders({ db, start }, before(at, OVERDUE_MS)) };
  },

  async startOutboxSender() {
    await start(outboxSenderProcess, {});
  },
});

/**
 * Starts the checkouts of unpaid orders whose payment window ended before a time, and the fulfilment of orders that were paid before
 * it and are not begun, where they have none any more. Returns their number.
 */
async function startForgottenOrders(
  { db, start }: { db: Db; start: StartProcess },
  before: Date,
): Promise<number> {
  const unpaid = await inBatches(await overdueOrders(db, { before, limit: BATCH }), (group) =>
    Promise.allSettled(group.map((order) => start(checkoutProcess, { ...order, exists: true }))),
  );
  const paid = await inBatches(await unbegunOrders(db, { before, limit: BATCH }), (group) =>
    Promise.allSettled(
      group.map((order) =>
        start(fulfilmentProcess, { orderId: order.id, userId: order.userId, label: totalLabel(order) }),
      ),
    ),
  );
  return unpaid + paid;
}

/** Marks an event dead that cannot be started, so that a person learns of it and no sweep tries it again. */
const countFailedStarts = (
  db: Db,
  ids: readonly string[],
  failure: { at: string; isTheirs: boolean },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    for (const id of await markStartsFailed(tx, ids, { ...failure, most: MOST_FAILURES }))
      await markEventDead(tx, id, { reason: UNSTARTABLE, at: failure.at, waitedInVain: false });
  });

const before = (moment: string, milliseconds: number): Date => new Date(Date.parse(moment) - milliseconds);
