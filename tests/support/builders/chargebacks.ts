import { Webhook } from 'standardwebhooks';
import { v7 } from 'uuid';
import { payableId } from '../../../db/commerce/payment/payable';
import { firstRow } from '../../../db/sql/query';
import { idOf, type PayableRef } from '../../../workflows/commerce/payable/payable.rules';
import type {
  ChargebackReportBody,
  ChargebackReportType,
  PaymentReportBody,
} from '../../../workflows/commerce/payment/payment-report.rules';
import { webhookProcessId } from '../../../workflows/commerce/webhook/webhook-event.contract';
import { eventually } from '../checks/eventually';
import { testVariables } from '../worlds/variables';
import type { World } from '../worlds/world';

/** Sends the sandbox's signed report of a chargeback; `of`: the id of the order, or of what else was paid for. Answers the report's id. */
export async function sendChargeback(
  world: Pick<World, 'db' | 'http'>,
  of: string | Exclude<PayableRef, { orderId: string }>,
  type: ChargebackReportType,
  changes: Partial<ChargebackReportBody['data']> = {},
): Promise<string> {
  const payment = await firstRow<PaymentReportBody['data']>(
    world.db,
    `SELECT attempt_id AS key, provider_payment_id AS payment_id, amount_minor, currency
       FROM payment_captures WHERE ${payableId()} = $1 AND applied`,
    [typeof of === 'string' ? of : idOf(of)],
  );
  const [id, at] = [v7(), new Date()];
  const report: ChargebackReportBody = {
    type,
    timestamp: at.toISOString(),
    data: { ...payment!, chargebackId: v7(), feeMinor: 1_500, ...changes },
  };
  const body = JSON.stringify(report);
  const answer = await world.http
    .post('/api/v1/payments/webhooks/sandbox')
    .set('content-type', 'application/json')
    .set('webhook-id', id)
    .set('webhook-timestamp', String(Math.floor(at.getTime() / 1_000)))
    .set('webhook-signature', new Webhook(testVariables['SANDBOX_SECRET']!).sign(id, at, body))
    .send(body);
  if (answer.status !== 202) throw new Error(`The report was answered ${answer.status}: ${answer.text}`);
  return id;
}

/** The id of the process that applies a report of the sandbox. */
export async function processOfReport(db: World['db'], externalEventId: string): Promise<string> {
  const found = await firstRow<{ id: string }>(
    db,
    `SELECT id FROM webhook_events WHERE provider = 'sandbox' AND external_event_id = $1`,
    [externalEventId],
  );
  if (!found) throw new Error(`There is no report ${externalEventId}.`);
  return webhookProcessId({ provider: 'sandbox', webhookEventId: found.id });
}

/** Sends one as `sendChargeback` does; resolves when the report is applied. */
export async function reportChargeback(
  world: Pick<World, 'db' | 'http'>,
  of: Parameters<typeof sendChargeback>[1],
  type: ChargebackReportType,
  chargebackId: string,
): Promise<void> {
  const id = await sendChargeback(world, of, type, { chargebackId });
  await eventually(async () => {
    const event = await firstRow<{ status: string }>(
      world.db,
      'SELECT status FROM webhook_events WHERE external_event_id = $1',
      [id],
    );
    if (event?.status !== 'PROCESSED') throw new Error(`The report is ${event?.status}.`);
  });
}

/** Charges a paid order back, and returns the chargeback if `returned`; answers the order's id. */
export async function chargedBack(
  world: Pick<World, 'db' | 'http'>,
  orderId: string,
  { returned }: { returned: boolean },
): Promise<string> {
  const chargebackId = v7();
  await reportChargeback(world, orderId, 'payment.charged_back', chargebackId);
  if (returned) await reportChargeback(world, orderId, 'payment.chargeback_returned', chargebackId);
  return orderId;
}
