import { sandboxEvent, type SandboxEvent } from '../../../db/commerce/sandbox/sandbox.reads';
import { markSandboxEventDelivered } from '../../../db/commerce/sandbox/sandbox.writes';
import type { Db } from '../../../db/sql/query';
import type { PaymentReportBody } from '../../../workflows/commerce/payment/payment-report.rules';
import type { SandboxWebhookActivities } from '../../../workflows/commerce/sandbox/sandbox-webhook.contract';
import { webhookSignature } from '../../providers/webhook';

const ANSWER_WITHIN_MS = 15_000;

export interface SandboxReporting {
  /** The API's address for workers, without a path. */
  webhookUrl: string;
  /** `whsec_…`; the first signs. */
  secrets: readonly [string, ...string[]];
}

/** Reports of the sandbox provider: sent as Standard Webhooks over the network, like those of any other provider. */
export const sandboxWebhookActivities = ({
  db,
  sandbox,
}: {
  db: Db;
  sandbox: SandboxReporting;
}): SandboxWebhookActivities => ({
  async deliverSandboxEvent({ eventId }) {
    const event = await sandboxEvent(db, eventId);
    if (!event) throw new Error(`The sandbox has no event ${eventId}.`);
    if (event.delivered) return;

    const body = reportBody(event);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = webhookSignature({ id: eventId, timestamp, body }, sandbox.secrets[0]);
    const answer = await fetch(`${sandbox.webhookUrl.replace(/\/+$/, '')}/api/v1/payments/webhooks/sandbox`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': eventId,
        'webhook-timestamp': timestamp,
        'webhook-signature': signature,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`The webhook address answered ${answer.status}.`);
    await markSandboxEventDelivered(db, eventId, new Date());
  },
});

/** The body of a report: the same bytes at every try, by which a receiver recognises a repeat. */
function reportBody({ type, createdAt, ...payment }: SandboxEvent): string {
  const { key, paymentId, amountMinor, currency } = payment;
  const data = { key, paymentId, amountMinor, currency };
  return JSON.stringify({ type, timestamp: createdAt.toISOString(), data } satisfies PaymentReportBody);
}
