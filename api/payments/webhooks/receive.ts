import { v7 } from 'uuid';
import { z } from 'zod';
import {
  markWebhookEventsStarted,
  storeWebhookEvent,
} from '../../../db/commerce/webhook/webhook-event.writes';
import { refusal } from '../../../workflows/errors';
import {
  paymentEventProcess,
  type PaymentEventInput,
} from '../../../workflows/commerce/payment/payment-event.contract';
import { endpoint, type Context } from '../../http/endpoint';
import { webhookLimit } from '../../http/limits/limits';
import type { Intake } from '../../http/request/intake';

const ReceivedReport = z
  .object({ eventId: z.uuid(), status: z.enum(['ACCEPTED', 'DUPLICATE']) })
  .meta({ id: 'ReceivedReport', description: 'Our id of the report, and whether it had come before.' });

export const receivePaymentReport = endpoint({
  method: 'post',
  path: '/payments/webhooks/:provider',
  summary: 'Take a payment provider’s report',
  description:
    '`sandbox` sends Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1,<base64>` ' +
    'HMAC-SHA256 over `id.timestamp.body`); `stripe` sends its own events with `Stripe-Signature`. The report is ' +
    'stored before the answer and applied after it, exactly once.',
  tag: 'Payments',
  auth: 'public',
  limit: webhookLimit,
  idempotent: false,
  raw: true,

  params: z.object({ provider: z.string().max(50) }),
  success: [202, 200],
  data: ReceivedReport,
  errors: { PROVIDER_NOT_FOUND: 404, INVALID_SIGNATURE: 401 },

  sender: ({ provider }, context) => ({ name: provider, isSigned: intakeOf(provider, context).isSigned }),

  async handle({ params: { provider } }, context) {
    const { request, reply, db, log } = context;
    const report = intakeOf(provider, context).read(request);
    const { externalEventId, bodyHash } = report;
    const stored = await storeWebhookEvent(db, { id: v7(), provider, at: new Date(), ...report });
    // Chosen: an id that comes again with another body is answered like any repeat, so that the sender learns nothing and
    // stops; the first delivery stays, and an alert is logged.
    if (stored.bodyHash !== bodyHash)
      log.error(
        { alert: 'WEBHOOK_ID_REUSED', provider, externalEventId },
        'a webhook id came with another body',
      );
    if (stored.unstarted)
      void startProcess({ provider, externalEventId, webhookEventId: stored.id }, context);
    if (!stored.fresh) reply.status(200);
    return { eventId: stored.id, status: stored.fresh ? 'ACCEPTED' : 'DUPLICATE' };
  },
});

/** The intake of this provider's reports; refused PROVIDER_NOT_FOUND. */
function intakeOf(provider: string, { paymentIntake }: Pick<Context, 'paymentIntake'>): Intake {
  const intake = paymentIntake(provider);
  if (!intake) throw refusal('PROVIDER_NOT_FOUND', 'No such payment provider.');
  return intake;
}

/**
 * Starts the report's process. The provider's answer does not wait for it: the report is safe once it is stored, and the
 * sweep starts it if this fails.
 */
async function startProcess(event: PaymentEventInput, { processes, db, log }: Context): Promise<void> {
  try {
    await processes.start(paymentEventProcess, event);
    await markWebhookEventsStarted(db, [event.webhookEventId], new Date());
  } catch (error) {
    log.warn({ err: error, webhookEventId: event.webhookEventId }, 'a webhook waits for the sweep');
  }
}
