import { v7 } from 'uuid';
import type {
  ChargebackReport,
  ChargebackStatus,
} from '../../../workflows/commerce/payment/payment-report.rules';
import { execute, firstRow, type Tx } from '../../sql/query';
import { scheduleRefund } from '../payment/capture.transitions';
import {
  bookChargeback,
  bookChargebackFee,
  bookChargebackReturn,
  bookOwedAgain,
} from './chargeback-ledger.transitions';
import { oweRefundsAgain } from './charged-back-refund.transitions';
import {
  countChargeback,
  leftOfCapture,
  lockDisputedCapture,
  type DisputedCapture,
} from './disputed-capture.transitions';

export type ChargebackEffect =
  /** It speaks of a payment, or returns a chargeback, that we have not (yet) written. */
  | { outcome: 'UNKNOWN' }
  /** It cannot be true, or not of this money; a person has to look at it. */
  | { outcome: 'IMPOSSIBLE'; why: string }
  | {
      outcome: 'APPLIED' | 'WITHOUT_EFFECT';
      orderId: string;
      captureId: string;
      refundsDue: { refundId: string; orderId: string }[];
      /** Requests whose money is owed again: the chargeback that had paid it was returned. */
      requestsOwedAgain: string[];
    };

interface Chargeback {
  id: string;
  captureId: string;
  amountMinor: number;
  status: ChargebackStatus;
  feeMinor: number;
  feeCurrency: string | null;
}

/**
 * Writes down what a buyer's bank did. Nobody asked us, so the order stays as it is, and what was given back before; new
 * refunds are bounded by it. A repeat, an old TAKEN after the money came back, and an old LOST change nothing.
 */
export async function applyChargeback(
  tx: Tx,
  provider: string,
  report: ChargebackReport,
  at: string,
): Promise<ChargebackEffect> {
  const capture = await lockDisputedCapture(tx, provider, report.paymentId);
  if (!capture) return { outcome: 'UNKNOWN' };
  const known = await chargebackBy(tx, provider, report.chargebackId);
  if (!known && report.status !== 'TAKEN') return { outcome: 'UNKNOWN' };
  const why = whyImpossible(capture, known, report);
  if (why !== null) return { outcome: 'IMPOSSIBLE', why };
  const effect = { orderId: capture.orderId, captureId: capture.id, refundsDue: [], requestsOwedAgain: [] };
  if (!known) await take(tx, provider, capture, report, at);
  else if (known.status === 'TAKEN' && report.status === 'LOST')
    await decide(tx, provider, known, report, at);
  else if (known.status !== 'RETURNED' && report.status === 'RETURNED')
    return {
      outcome: 'APPLIED',
      ...effect,
      ...(await returnChargeback(tx, provider, capture, known, report, at)),
    };
  else return { outcome: 'WITHOUT_EFFECT', ...effect };
  return { outcome: 'APPLIED', ...effect };
}

/** A chargeback by the provider's id. The lock on its order guards it too. */
const chargebackBy = (tx: Tx, provider: string, chargebackId: string): Promise<Chargeback | null> =>
  firstRow<Chargeback>(
    tx,
    `SELECT id, capture_id, amount_minor, status, fee_minor,
       fee_currency
     FROM chargebacks
     WHERE provider = $1 AND provider_chargeback_id = $2`,
    [provider, chargebackId],
  );

function whyImpossible(
  capture: DisputedCapture,
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
  capture: DisputedCapture,
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
  await countChargeback(tx, capture.id, amountMinor);
  await bookChargeback(tx, { id, provider, amountMinor, currency }, at);
  if (fee) await bookChargebackFee(tx, { id, provider }, { when: 'fee', ...fee }, at);
}

/** The money is back with us: it pays no refund any more, and a cancelled order keeps none of it. */
async function returnChargeback(
  tx: Tx,
  provider: string,
  capture: DisputedCapture,
  known: Chargeback,
  report: ChargebackReport,
  at: string,
): Promise<{ refundsDue: { refundId: string; orderId: string }[]; requestsOwedAgain: string[] }> {
  const { id, amountMinor } = known;
  await decide(tx, provider, known, report, at);
  const requestsOwedAgain = await oweRefundsAgain(tx, { captureId: capture.id, chargebackId: id }, at);
  await countChargeback(tx, capture.id, -amountMinor);
  await bookChargebackReturn(tx, { id, provider, amountMinor, currency: report.currency }, at);
  return { refundsDue: await oweAgain(tx, provider, capture, id, at), requestsOwedAgain };
}

/** `report.fee`: what the provider has taken in all by now; some return it with the money. */
async function decide(
  tx: Tx,
  provider: string,
  { id, feeMinor, feeCurrency }: Chargeback,
  { status, fee }: ChargebackReport,
  at: string,
): Promise<void> {
  const sameAccount = fee && (feeCurrency === null || feeCurrency === fee.currency);
  const after = sameAccount ? fee : { amountMinor: feeMinor, currency: feeCurrency };
  await execute(
    tx,
    `UPDATE chargebacks SET status = $2, fee_minor = $3, fee_currency = $4, updated_at = $5 WHERE id = $1`,
    [id, status, after.amountMinor, after.currency, at],
  );
  if (after.currency === null) return;
  const when = status === 'LOST' ? 'lost-fee' : 'return-fee';
  const change = { when, amountMinor: after.amountMinor - feeMinor, currency: after.currency } as const;
  await bookChargebackFee(tx, { id, provider }, change, at);
}

/**
 * A cancelled order keeps no money: what a bank had taken was not sent back then, so what it returns is now. Of an order
 * that was refunded otherwise, less was given back; the buyer may ask for the rest.
 */
async function oweAgain(
  tx: Tx,
  provider: string,
  capture: DisputedCapture,
  chargebackId: string,
  at: string,
): Promise<{ refundId: string; orderId: string }[]> {
  const { orderId, orderStatus, currency } = capture;
  const amountMinor = await leftOfCapture(tx, capture.id);
  if (orderStatus !== 'CANCELLED' || amountMinor === 0) return [];
  await bookOwedAgain(tx, { id: chargebackId, provider, currency, amountMinor }, amountMinor, at);
  return [{ refundId: await scheduleRefund(tx, { ...capture, amountMinor }, 'CANCELLATION', at), orderId }];
}
