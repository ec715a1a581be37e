import type { DecidedEvent } from '../../../db/administration/webhook/webhook-event.writes';
import { paymentEventProcess } from '../../../workflows/commerce/payment-event/payment-event.contract';
import { providerEventProcess } from '../../../workflows/investment/provider-event/provider-event.contract';

/** The process that applies a stored report, and its input. */
export const processOf = ({ id, kind, provider, externalEventId, replays }: DecidedEvent) => ({
  process: kind === 'PAYMENT' ? paymentEventProcess : providerEventProcess,
  input: { provider, externalEventId, webhookEventId: id, replays },
});
