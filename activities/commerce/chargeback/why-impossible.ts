import type { RecordedChargeback } from '../../../db/commerce/chargeback/chargeback.transitions';
import type { DisputedCapture } from '../../../db/commerce/chargeback/disputed-capture.transitions';
import type { ChargebackReport } from '../../../workflows/commerce/payment/payment-report.rules';

/** The contradiction between a report and what is recorded, in words; null: there is none. */
export function whyImpossible(
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
