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
  payableOfCapture,
  type DisputedCapture,
} from '../../../db/commerce/chargeback/disputed-capture.transitions';
import { announceDecision } from '../../../db/administration/domain-event/chargeback-event.writes';
import { scheduleRefund } from '../../../db/commerce/refund/sending/schedule-refund.transitions';
import type { Tx } from '../../../db/sql/query';
import { amountInWords } from '../../../workflows/commerce/money.rules';
import type { RefundDue } from '../../../workflows/commerce/order/order.contract';
import { idsOf, refOf, type PayableRef } from '../../../workflows/commerce/payable/payable.rules';
import type { ChargebackReport } from '../../../workflows/commerce/payment/payment-report.rules';
import { lockPayable } from '../payable/lock-payable';
import type { Payable, TakenMoney } from '../payable/payable';
import { oweRefundsAgain } from './owe-refunds-again';
import { whyImpossible } from './why-impossible';

export type ChargebackEffect =
  /** The report is of a payment, or returns a chargeback, that is not recorded (yet). */
  | { outcome: 'UNKNOWN' }
  /** The report contradicts what is recorded; a person has to look at it. */
  | { outcome: 'IMPOSSIBLE'; why: string }
  | {
      outcome: 'APPLIED' | 'WITHOUT_EFFECT';
      ref: PayableRef;
      captureId: string;
      refundsDue: RefundDue[];
      /** Requests whose money is owed again, because the chargeback that had paid it was returned. */
      requestsOwedAgain: string[];
      /** Withdrawals from a wallet that the chargeback has ended, now or before. */
      withdrawalsEnded: string[];
      /** The words of a decision that a person has to make; null: there is none. */
      toDecide: string | null;
    };

/**
 * Records what a buyer's bank did, in the caller's transaction. What was paid for keeps its status, and refunds that were sent
 * stay; new refunds are bounded by the chargeback. A loss whose taking was not reported, or comes later, is recorded as both.
 * A repeat, an old TAKEN after the decision, and an old LOST change nothing.
 */
export async function applyChargeback(
  tx: Tx,
  provider: string,
  report: ChargebackReport,
  at: string,
): Promise<ChargebackEffect> {
  const found = await payableOfCapture(tx, provider, report.paymentId);
  if (!found) return { outcome: 'UNKNOWN' };
  const payable = await lockPayable(tx, found);
  const capture = await lockDisputedCapture(tx, provider, report.paymentId);
  if (!capture) return { outcome: 'UNKNOWN' };
  const known = await chargebackBy(tx, provider, report.chargebackId);
  if (!known && report.status === 'RETURNED') return { outcome: 'UNKNOWN' };
  const why = whyImpossible(capture, known, report);
  if (why !== null) return { outcome: 'IMPOSSIBLE', why };
  const disputed = { capture, payable };
  const taken = known ?? (await recordChargeback(tx, provider, disputed, report, at));
  const isLoss = capture.applied && report.status !== 'RETURNED';
  const effect = {
    ref: payable.ref,
    captureId: capture.id,
    refundsDue: [],
    requestsOwedAgain: [],
    withdrawalsEnded: (await payable.withdrawalsEnded?.(taken.id)) ?? [],
    toDecide: isLoss ? await payable.decisionAfter(takenMoney(taken.id, report)) : null,
  };
  if (taken.status === 'TAKEN' && report.status === 'LOST')
    await decideChargeback(tx, provider, disputed, { known: taken, report }, at);
  else if (known && known.status !== 'RETURNED' && report.status === 'RETURNED')
    return {
      outcome: 'APPLIED',
      ...effect,
      ...(await returnChargeback(tx, provider, disputed, { known, report }, at)),
    };
  else if (known) return { outcome: 'WITHOUT_EFFECT', ...effect };
  return { outcome: 'APPLIED', ...effect };
}

/** A payment that a bank disputes, and what it is for. */
interface Disputed {
  capture: DisputedCapture;
  payable: Payable;
}

const takenMoney = (chargebackId: string, report: ChargebackReport): TakenMoney => ({
  chargebackId,
  amountMinor: report.amountMinor,
  currency: report.currency,
  words: wordsOf(report),
});

const wordsOf = ({ status, amountMinor, currency }: ChargebackReport): string =>
  `${amountInWords(amountMinor, currency)} ${status === 'LOST' ? 'for good' : 'until the dispute is decided'}`;

async function recordChargeback(
  tx: Tx,
  provider: string,
  { capture, payable }: Disputed,
  report: ChargebackReport,
  at: string,
): Promise<RecordedChargeback> {
  const { chargebackId: providerChargebackId, amountMinor, currency, fee } = report;
  const id = v7();
  const captureId = capture.id;
  const chargeback = { id, captureId, ...idsOf(capture), provider, providerChargebackId };
  await insertChargeback(tx, { ...chargeback, amountMinor, currency, fee }, at);
  await countChargeback(tx, captureId, amountMinor);
  await bookChargeback(tx, { id, provider, amountMinor, currency }, at);
  if (fee) await bookChargebackFee(tx, { id, provider }, { when: 'fee', ...fee }, at);
  if (capture.applied) await payable.takeBack?.(takenMoney(id, report), at);
  const { amountMinor: feeMinor = 0, currency: feeCurrency = null } = fee ?? {};
  return { id, captureId, amountMinor, status: 'TAKEN', feeMinor, feeCurrency };
}

/** The money is back with us: it pays no refund any more, and what was cancelled keeps none of it. */
async function returnChargeback(
  tx: Tx,
  provider: string,
  { capture, payable }: Disputed,
  { known, report }: { known: RecordedChargeback; report: ChargebackReport },
  at: string,
): Promise<{ refundsDue: RefundDue[]; requestsOwedAgain: string[] }> {
  const { id, amountMinor } = known;
  await decideChargeback(tx, provider, { capture, payable }, { known, report }, at);
  const owed = await oweRefundsAgain(tx, { captureId: capture.id, chargebackId: id }, at);
  const returned = { chargebackId: id, status: report.status, amountMinor, currency: report.currency };
  if (capture.applied && known.status === 'LOST')
    await announceDecision(tx, payable, { ...returned, refundsOwed: owed.announced }, at);
  await countChargeback(tx, capture.id, -amountMinor);
  await bookChargebackReturn(tx, { id, provider, amountMinor, currency: report.currency }, at);
  if (capture.applied) await payable.giveBack?.(takenMoney(id, report), at);
  const refundsDue = payable.isCancelled ? await refundCancelled(tx, provider, capture, id, at) : [];
  return { refundsDue, requestsOwedAgain: owed.requestIds };
}

/**
 * Records the decision and announces a loss: what had been paid for is a sale no more.
 * `report.fee`: the sum of what the provider has taken by now; some providers return it with the money.
 */
async function decideChargeback(
  tx: Tx,
  provider: string,
  { capture, payable }: Disputed,
  { known, report }: { known: RecordedChargeback; report: ChargebackReport },
  at: string,
): Promise<void> {
  const { id, feeMinor, feeCurrency, amountMinor } = known;
  const { status, fee, currency } = report;
  if (capture.applied && status === 'LOST')
    await announceDecision(tx, payable, { chargebackId: id, status, amountMinor, currency }, at);
  const sameAccount = fee && (feeCurrency === null || feeCurrency === fee.currency);
  const after = sameAccount ? fee : { amountMinor: feeMinor, currency: feeCurrency };
  await changeChargeback(tx, id, { status, feeMinor: after.amountMinor, feeCurrency: after.currency }, at);
  if (after.currency === null) return;
  const when = status === 'LOST' ? 'lost-fee' : 'return-fee';
  const change = { when, amountMinor: after.amountMinor - feeMinor, currency: after.currency } as const;
  await bookChargebackFee(tx, { id, provider }, change, at);
}

/**
 * Sends what a bank returns of a cancelled order, which keeps no money: its cancellation did not send what a bank had taken, so what the bank returns is sent
 * now. For an order that was refunded, less was given back; the buyer may ask for the rest.
 */
async function refundCancelled(
  tx: Tx,
  provider: string,
  capture: DisputedCapture,
  chargebackId: string,
  at: string,
): Promise<RefundDue[]> {
  const { currency } = capture;
  const amountMinor = await leftOfCapture(tx, capture.id);
  if (amountMinor === 0) return [];
  await bookOwedAgain(tx, { id: chargebackId, provider, currency, amountMinor }, amountMinor, at);
  return [
    {
      refundId: await scheduleRefund(tx, { ...capture, amountMinor }, 'CANCELLATION', at),
      ...refOf(capture),
    },
  ];
}
