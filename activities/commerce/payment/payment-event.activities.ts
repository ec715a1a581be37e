import { markEventDead } from '../../../db/administration/webhook/webhook-event.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { PaymentEventActivities } from '../../../workflows/commerce/payment/payment-event.contract';
import { readMessage as readKnown, type ReadMessage } from '../../providers/payments/read-message';
import { applyPaymentEvent } from './apply-payment-event';

const DAY_MS = 24 * 3_600_000;

export const paymentEventActivities = ({
  db,
  policy,
  readMessage = readKnown,
}: {
  db: Db;
  policy: Policy;
  /** By default, reads events of the providers of this release. */
  readMessage?: ReadMessage | undefined;
}): PaymentEventActivities => ({
  eventPatience: ({ at }) =>
    Promise.resolve(new Date(Date.parse(at) + policy.eventPatienceDays * DAY_MS).toISOString()),

  applyPaymentEvent: (event) => applyPaymentEvent({ db, readMessage }, event),

  markEventDead: ({ webhookEventId, reason, at, waitedInVain = false }) =>
    inTransaction(db, (tx) => markEventDead(tx, webhookEventId, { reason, at, waitedInVain })),
});
