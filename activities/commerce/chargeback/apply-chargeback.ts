import { v7 } from 'uuid';
import {
  chargebackBy,
  changeChargeback,
  insertChargeback,
  type RecordedChargeback,
} from '../../../db/commerce/chargeback/chargeback.transitions';
import {
  bookChargeback,
  bookChargebackFee,
  bookChargebackReturn,
  bookOwedAgain,
} from '../../../db/commerce/chargeback/chargeback-ledger.transitions';
import {
  countChargeback,
  leftOfCapture,
  lockDisputedCapture,
  type DisputedCapture,
} from '../../../db/commerce/chargeback/disputed-capture.transitions';
import { scheduleRefund } from '../../../db/commerce/payment/capture.transitions';
import type { Tx } from '../../../db/sql/query';
import type { RefundDue } from '../../../workflows/commerce/order/order.contract';
import type { ChargebackReport } from '../../../workflows/commerce/payment/payment-report.rules';
import { oweRefundsAgain } from './owe-refunds-again';

export type ChargebackEffect =
  /** The report is of a payment, or returns a chargeback, that is not recorded (yet). */
  | { outcome: 'UNKNOWN' }
  /** The report contradicts what is recorded; a person has to look at it. */
  | { outcome: 'IMPOSSIBLE'; why: string }
  | {
      outcome: 'APPLIED' | 'WITHOUT_EFFECT';
      orderId: string;
      captureId: string;
      refundsDue: RefundDue[];
      /** Requests whose money is owed again, because the chargeback that had paid it was returned. */
      requestsOwedAgain: string[];
    };

/**
 * Records what a buyer's bank did, in the caller's transaction. The order keeps its status, and refunds that were sent
 * stay; new refunds are bounded by the chargeback. A repeat, an old TAKEN after the return, and an old LOST change nothing.
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
  if (!known) await recordChargeback(tx, provider, capture, report, at);
  else if (known.status === 'TAKEN' && report.status === 'LOST')
    await decideChargeback(tx, provider, known, report, at);
  else if (known.status !== 'RETURNED' && report.status === 'RETURNED')
    return {
      outcome: 'APPLIED',
      ...effect,
      ...(await returnChargeback(tx, provider, capture, known, report, at)),
    };
  else return { outcome: 'WITHOUT_EFFECT', ...effect };
  return { outcome: 'APPLIED', ...effect };
}

function whyImpossible(
  capture: DisputedCapture,
  known: RecordedChargeback | null,
  { chargebackId, paymentId, amountMinor, currency }: ChargebackReport,
): string | null {
  const what = `Chargeback ${chargebackId} is of ${amountMinor} ${currency}`;
  if (currency !== capture.currency) return `${what}, payment ${paymentId} was in ${capture.currency}.`;
  if (known && known.captureId !== capture.id) return `Chargeback ${chargebackId} is of another payment.`;
  if (known && known.amountMinor !== amountMinor) return `${what}, but took ${known.amountMinor}.`;
  const leftMinor = capture.amountMinor - capture.chargedBackMinor;
  return !known && amountMinor > leftMinor ? `${what}, payment ${paymentId} has ${leftMinor} left.` : null;
}

async function recordChargeback(
  tx: Tx,
  provider: string,
  capture: DisputedCapture,
  { chargebackId: providerChargebackId, amountMinor, currency, fee }: ChargebackReport,
  at: string,
): Promise<void> {
  const id = v7();
  const { id: captureId, orderId } = capture;
  const money = { amountMinor, currency, fee };
  await insertChargeback(tx, { id, captureId, orderId, provider, providerChargebackId, ...money }, at);
  await countChargeback(tx, captureId, amountMinor);
  await bookChargeback(tx, { id, provider, amountMinor, currency }, at);
  if (fee) await bookChargebackFee(tx, { id, provider }, { when: 'fee', ...fee }, at);
}

/** The money is back with us: it pays no refund any more, and a cancelled order keeps none of it. */
async function returnChargeback(
  tx: Tx,
  provider: string,
  capture: DisputedCapture,
  known: RecordedChargeback,
  report: ChargebackReport,
  at: string,
): Promise<{ refundsDue: RefundDue[]; requestsOwedAgain: string[] }> {
  const { id, amountMinor } = known;
  await decideChargeback(tx, provider, known, report, at);
  const requestsOwedAgain = await oweRefundsAgain(tx, { captureId: capture.id, chargebackId: id }, at);
  await countChargeback(tx, capture.id, -amountMinor);
  await bookChargebackReturn(tx, { id, provider, amountMinor, currency: report.currency }, at);
  return { refundsDue: await refundCancelledOrder(tx, provider, capture, id, at), requestsOwedAgain };
}

/** `report.fee`: the sum of what the provider has taken by now; some providers return it with the money. */
async function decideChargeback(
  tx: Tx,
  provider: string,
  { id, feeMinor, feeCurrency }: RecordedChargeback,
  { status, fee }: ChargebackReport,
  at: string,
): Promise<void> {
  const sameAccount = fee && (feeCurrency === null || feeCurrency === fee.currency);
  const after = sameAccount ? fee : { amountMinor: feeMinor, currency: feeCurrency };
  await changeChargeback(tx, id, { status, feeMinor: after.amountMinor, feeCurrency: after.currency }, at);
  if (after.currency === null) return;
  const when = status === 'LOST' ? 'lost-fee' : 'return-fee';
  const change = { when, amountMinor: after.amountMinor - feeMinor, currency: after.currency } as const;
  await bookChargebackFee(tx, { id, provider }, change, at);
}

/**
 * A cancelled order keeps no money: its cancellation did not send what a bank had taken, so what the bank returns is sent
 * now. For an order that was refunded, less was given back; the buyer may ask for the rest.
 */
async function refundCancelledOrder(
  tx: Tx,
  provider: string,
  capture: DisputedCapture,
  chargebackId: string,
  at: string,
): Promise<RefundDue[]> {
  const { orderId, orderStatus, currency } = capture;
  const amountMinor = await leftOfCapture(tx, capture.id);
  if (orderStatus !== 'CANCELLED' || amountMinor === 0) return [];
  await bookOwedAgain(tx, { id: chargebackId, provider, currency, amountMinor }, amountMinor, at);
  return [{ refundId: await scheduleRefund(tx, { ...capture, amountMinor }, 'CANCELLATION', at), orderId }];
}
