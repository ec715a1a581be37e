import { markEventDead } from '../../../db/administration/webhook/webhook-event.transitions';
import type { Policy } from '../../../db/policy/config';
import { inTransaction } from '../../../db/sql/transaction';
import type { PaymentEventActivities } from '../../../workflows/commerce/payment-event/payment-event.contract';
import type { ReadMessage } from '../../providers/payments/read-message';
import { steps, type DbDeps } from '../../steps';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import { applyPaymentEvent } from './apply-payment-event';

type Deps = DbDeps & { policy: Policy; readMessage: ReadMessage };

export const paymentEventActivities = (deps: Deps): PaymentEventActivities =>
  steps<PaymentEventActivities, Deps>(deps, {
    eventPatience: ({ policy }, { at }) =>
      Promise.resolve(new Date(Date.parse(at) + policy.eventPatienceDays * DAY_MS).toISOString()),
    applyPaymentEvent,
    markEventDead: ({ db }, { webhookEventId, reason, at, waitedInVain = false }) =>
      inTransaction(db, (tx) => markEventDead(tx, webhookEventId, { reason, at, waitedInVain })),
  });
