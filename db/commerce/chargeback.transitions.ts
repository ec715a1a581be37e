import { v7 } from 'uuid';
import type { OrderStatus } from '../../workflows/commerce/order.states';
import type { ChargebackReport, ChargebackStatus } from '../../workflows/commerce/payment-report.rules';
import { execute, firstRow, type Tx } from '../sql';
import { scheduleRefund } from './capture.transitions';
import {
  bookChargeback,
  bookChargebackFee,
  bookChargebackReturn,
  bookOwedAgain,
} from './chargeback-ledger.transitions';
import { lockOrder } from './order.transitions';

export type ChargebackEffect =
  /** It speaks of a payment, or returns a chargeback, that we have not (yet) written. */
  | { outcome: 'UNKNOWN' }
  /** It cannot be true, or not of this money; a person has to look at it. */
  | { outcome: 'IMPOSSIBLE'; why: string }
  | {
      outcome: 'APPLIED' | 'WITHOUT_EFFECT';
      orderId: string;
      refundsDue: { refundId: string; orderId: string }[];
    };

interface Capture {
  id: string;
  orderId: string;
  orderStatus: OrderStatus;
  amountMinor: number;
  refundedMinor: number;
  chargedBackMinor: number;
  currency: string;
}

interface Chargeback {
  id: string;
  captureId: string;
  amountMinor: number;
  status: ChargebackStatus;
  feeMinor: number;
  feeCurrency: string | null;
}

/**
 * Writes down what a buyer's bank did. Nobody asked us, so the order stays as it is, and whatever was given back before;
 * refunds to come heed it. A repeat, and an old TAKEN after the money came back, change nothing.
 */
export async function applyChargeback(
  tx: Tx,
  provider: string,
  report: ChargebackReport,
  at: string,
): Promise<ChargebackEffect> {
  const capture = await lockedCapture(tx, provider, report.paymentId);
  if (!capture) return { outcome: 'UNKNOWN' };
  const { orderId } = capture;
  const refundsDue: { refundId: string; orderId: string }[] = [];
  const known = await chargebackBy(tx, provider, report.chargebackId);
  if (!known && report.status === 'RETURNED') return { outcome: 'UNKNOWN' };
  const why = whyImpossible(capture, known, report);
  if (why !== null) return { outcome: 'IMPOSSIBLE', why };
  if (!known) await take(tx, provider, capture, report, at);
  else if (known.status === 'TAKEN' && report.status === 'RETURNED') {
    await returnChargeback(tx, provider, known, report, at);
    refundsDue.push(...(await oweAgain(tx, provider, capture, known, at)));
  } else return { outcome: 'WITHOUT_EFFECT', orderId, refundsDue };
  return { outcome: 'APPLIED', orderId, refundsDue };
}

/** First the order, then its money: as everywhere, so that nobody waits crosswise. */
async function lockedCapture(tx: Tx, provider: string, paymentId: string): Promise<Capture | null> {
  const which = [provider, paymentId];
  const found = await firstRow<{ orderId: string }>(
    tx,
    `SELECT order_id AS "orderId" FROM payment_captures WHERE provider = $1 AND provider_payment_id = $2`,
    which,
  );
  if (!found) return null;
  const order = await lockOrder(tx, found.orderId);
  const capture = await firstRow<Omit<Capture, 'orderStatus'>>(
    tx,
    `SELECT id, order_id AS "orderId", amount_minor AS "amountMinor", refunded_minor AS "refundedMinor",
       charged_back_minor AS "chargedBackMinor", currency
     FROM payment_captures WHERE provider = $1 AND provider_payment_id = $2 FOR UPDATE`,
    which,
  );
  return order && capture && { ...capture, orderStatus: order.status };
}

/** A chargeback by the provider's id. The lock on its order guards it too. */
const chargebackBy = (tx: Tx, provider: string, chargebackId: string): Promise<Chargeback | null> =>
  firstRow<Chargeback>(
    tx,
    `SELECT id, capture_id AS "captureId", amount_minor AS "amountMinor", status, fee_minor AS "feeMinor",
       fee_currency AS "feeCurrency"
     FROM chargebacks
     WHERE provider = $1 AND provider_chargeback_id = $2`,
    [provider, chargebackId],
  );

function whyImpossible(
  capture: Capture,
  known: Chargeback | null,
  { chargebackId, paymentId, amountMinor, currency }: ChargebackReport,
): string | null {
  const what = `Chargeback ${chargebackId} is of ${amountMinor} ${currency}`;
  if (currency !== capture.currency) return `${what}, payment ${paymentId} was in ${capture.currency}.`;
  if (known && known.captureId !== capture.id) return `Chargeback ${chargebackId} is of another payment.`;
  if (known && known.amountMinor !== amountMinor) return `${what}, but took ${known.amountMinor}.`;
  const leftMinor = capture.amountMinor - capture.chargedBackMinor;
  return !known && amountMinor > leftMinor ? `${what}, payment ${paymentId} has ${leftMinor} left.` : null;
}

async function take(
  tx: Tx,
  provider: string,
  capture: Capture,
  { chargebackId, amountMinor, currency, fee }: ChargebackReport,
  at: string,
): Promise<void> {
  const id = v7();
  await execute(
    tx,
    `INSERT INTO chargebacks (id, capture_id, order_id, provider, provider_chargeback_id, amount_minor, currency, status,
       fee_minor, fee_currency, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'TAKEN', $8, $9, $10, $10)`,
    [
      id,
      capture.id,
      capture.orderId,
      provider,
      chargebackId,
      amountMinor,
      currency,
      fee?.amountMinor ?? 0,
      fee?.currency ?? null,
      at,
    ],
  );
  await count(tx, capture.id, amountMinor);
  await bookChargeback(tx, { id, provider, amountMinor, currency }, at);
  if (fee) await bookChargebackFee(tx, { id, provider }, { when: 'fee', ...fee }, at);
}

/** `report.fee`: what the provider has taken in all by now; some return it with the money. */
async function returnChargeback(
  tx: Tx,
  provider: string,
  { id, captureId, amountMinor, feeMinor, feeCurrency }: Chargeback,
  { currency, fee }: ChargebackReport,
  at: string,
): Promise<void> {
  const sameAccount = fee && (feeCurrency === null || feeCurrency === fee.currency);
  const after = sameAccount ? fee : { amountMinor: feeMinor, currency: feeCurrency };
  await execute(
    tx,
    `UPDATE chargebacks SET status = 'RETURNED', fee_minor = $2, fee_currency = $3, updated_at = $4 WHERE id = $1`,
    [id, after.amountMinor, after.currency, at],
  );
  await count(tx, captureId, -amountMinor);
  await bookChargebackReturn(tx, { id, provider, amountMinor, currency }, at);
  if (after.currency === null) return;
  const change = { when: 'return-fee' as const, amountMinor: after.amountMinor - feeMinor };
  await bookChargebackFee(tx, { id, provider }, { ...change, currency: after.currency }, at);
}

/**
 * A cancelled order keeps no money: what a bank had taken was not sent back then, so what it returns is now. Of an order
 * that was refunded otherwise, less was given back; the buyer may ask for the rest.
 */
async function oweAgain(
  tx: Tx,
  provider: string,
  capture: Capture,
  { id, amountMinor: returnedMinor }: Chargeback,
  at: string,
): Promise<{ refundId: string; orderId: string }[]> {
  const { orderId, orderStatus, refundedMinor, chargedBackMinor, currency } = capture;
  const amountMinor = capture.amountMinor - refundedMinor - (chargedBackMinor - returnedMinor);
  if (orderStatus !== 'CANCELLED' || amountMinor <= 0) return [];
  await bookOwedAgain(tx, { id, provider, currency, amountMinor }, amountMinor, at);
  return [{ refundId: await scheduleRefund(tx, { ...capture, amountMinor }, 'CANCELLATION', at), orderId }];
}

async function count(tx: Tx, captureId: string, amountMinor: number): Promise<void> {
  await execute(
    tx,
    `UPDATE payment_captures SET charged_back_minor = charged_back_minor + $2 WHERE id = $1`,
    [captureId, amountMinor],
  );
}
