import { v7 } from 'uuid';
import { storeWebhookEvent } from '../../../../db/administration/webhook/webhook-event.writes';
import { applyChargeback } from '../../../../activities/commerce/chargeback/apply-chargeback';
import { firstRow, rows, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import {
  factsOfReport,
  type ChargebackReportType,
  type ChargebackStatus,
} from '../../../../workflows/commerce/payment/payment-report.rules';
import { orderSteps, PRICE_MINOR } from '../../../support/builders/ordering';
import type { OrderToPlace } from '../../../support/builders/given/steps';

/** Soon after an order of these is placed. */
export const at = new Date(Date.now() + 10 * 60_000).toISOString();

export type Type = ChargebackReportType;

const paymentOf = async (db: Db, { orderId }: Pick<OrderToPlace, 'orderId'>): Promise<string> =>
  (await firstRow<{ id: string }>(
    db,
    'SELECT provider_payment_id AS id FROM payment_captures WHERE order_id = $1',
    [orderId],
  ))!.id;

export interface Change {
  chargebackId?: string;
  paymentId?: string;
  amountMinor?: number;
  currency?: string;
  feeMinor?: number;
  provider?: string;
}

/** Stores what the sandbox reports of a chargeback, which is known by its name and its order. */
export async function stored(
  db: Db,
  type: Type,
  order: Pick<OrderToPlace, 'orderId' | 'attemptId'>,
  { chargebackId: name, provider = 'sandbox', ...change }: Change = {},
): Promise<string> {
  const [id, externalEventId] = [v7(), v7()];
  const usual = {
    key: order.attemptId,
    paymentId: change.paymentId ?? (await paymentOf(db, order)),
    amountMinor: PRICE_MINOR,
  };
  const chargeback = name === undefined ? {} : { chargebackId: `${name}-${order.orderId}` };
  const data = { currency: 'USD', ...usual, ...chargeback, ...change };
  const body = JSON.stringify({ type, timestamp: at, data });
  const event = {
    provider,
    externalEventId,
    type,
    body,
    bodyHash: '',
    known: true,
    ...factsOfReport(type, { data }),
  };
  await storeWebhookEvent(db, { id, at: new Date(), ...event });
  return id;
}

/** Applies such a report twice, as when the first answer was lost. */
export async function twice(...[db, ...report]: Parameters<typeof stored>) {
  const webhookEventId = await stored(db, ...report);
  const first = await orderSteps(db).applyPaymentEvent({ webhookEventId, at });
  const second = await orderSteps(db).applyPaymentEvent({ webhookEventId, at });
  return { webhookEventId, outcomes: [first.outcome, second.outcome] };
}

/** The refunds of an order, one by one. */
export const refundsOf = async (db: Db, { orderId }: OrderToPlace): Promise<number[]> => {
  const found = await rows<{ minor: number }>(
    db,
    'SELECT amount_minor AS minor FROM payment_refunds WHERE order_id = $1 ORDER BY created_at, id',
    [orderId],
  );
  return found.map(({ minor }) => minor);
};

/** The recorded chargebacks of an order. */
export const chargebacksOf = async (db: Db, { orderId }: OrderToPlace) => ({
  chargedBackMinor: (await firstRow<{ minor: number }>(
    db,
    'SELECT charged_back_minor AS minor FROM payment_captures WHERE order_id = $1',
    [orderId],
  ))!.minor,
  chargebacks: (
    await rows<{ row: string }>(
      db,
      `SELECT amount_minor || ' ' || status AS row FROM chargebacks WHERE order_id = $1 ORDER BY id`,
      [orderId],
    )
  ).map(({ row }) => row),
  lossesMinor: (await firstRow<{ minor: number }>(
    db,
    `SELECT coalesce(sum(e.amount_minor), 0)::bigint AS minor FROM ledger_entries e
       JOIN ledger_transfers t ON t.id = e.transfer_id
       JOIN chargebacks c ON t.kind IN ('chargeback', 'chargeback-return') AND t.subject_id = c.id::text
      WHERE c.order_id = $1 AND e.account = 'losses'`,
    [orderId],
  ))!.minor,
});

/** A buyer whose bank takes money back, as the provider reports. */
export async function takenByTheBank(
  db: Db,
  { orderId }: { orderId: string },
  amountMinor: number,
  status: ChargebackStatus = 'TAKEN',
  outcomes: readonly string[] = ['APPLIED'],
): Promise<void> {
  const capture = await firstRow<{ provider: string; paymentId: string }>(
    db,
    `SELECT provider, provider_payment_id AS payment_id FROM payment_captures WHERE order_id = $1`,
    [orderId],
  );
  const { provider, paymentId } = capture!;
  const report = { chargebackId: `of-${orderId}`, paymentId, status, amountMinor, currency: 'USD' };
  const effect = await inTransaction(db, (tx) =>
    applyChargeback(tx, provider, report, new Date().toISOString()),
  );
  expect(outcomes).toContain(effect.outcome);
}
