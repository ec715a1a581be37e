import { recordUnbooked } from '../../../../db/commerce/reconciliation/late-arrival.writes';
import {
  bookAsSentByProvider,
  refundSentAs,
} from '../../../../db/commerce/refund/reported/settled-by-name.transitions';
import { readRefund } from '../../../../db/commerce/refund/refund.transitions';
import type { Tx } from '../../../../db/sql/query';
import { amountInWords } from '../../../../workflows/commerce/money.rules';
import { returnRefund, type Effect, type Reported } from './return-refund';

/**
 * Applies a report on a refund that a person has settled under the provider's own id of it, before the provider reported it: the provider
 * has sent the money, so it is booked on its account instead of that of our bank. Of another amount it is a difference, and a
 * person decides; also where another refund has been completed by that id since, which stands for one of them only.
 */
export async function applyToSettled(
  tx: Tx,
  { refund, report, again }: Reported,
  at: string,
): Promise<Effect> {
  if (report.status === 'PENDING') return { outcome: 'WITHOUT_EFFECT' };
  const { id, provider, amountMinor, currency } = refund;
  const { providerRefundId: providerId } = report;
  const completed = await refundSentAs(tx, provider, providerId);
  if (completed !== null)
    return {
      outcome: 'WITHOUT_EFFECT',
      toDecide: `${provider} has sent refund ${completed} as ${providerId}, by which refund ${id} was settled too. Find out how the money of ${id} was sent; its transfer is booked from our bank account. Then retry this.`,
    };
  if (report.amountMinor === amountMinor && report.currency === currency) {
    await bookAsSentByProvider(tx, refund, providerId);
    if (report.status === 'COMPLETED') return { outcome: 'APPLIED' };
    return returnRefund(tx, { refund: await readRefund(tx, id), report, again }, at);
  }
  if (report.status === 'FAILED') return { outcome: 'WITHOUT_EFFECT' };
  const sent = { amountMinor: report.amountMinor, currency: report.currency };
  const isNew = await recordUnbooked(
    tx,
    { provider, movementKind: 'REFUND', providerId, ...sent, ourId: id },
    new Date(at),
  );
  if (!isNew && !again) return { outcome: 'WITHOUT_EFFECT' };
  return {
    outcome: isNew ? 'APPLIED' : 'WITHOUT_EFFECT',
    toDecide: `${provider} has sent ${amountInWords(sent.amountMinor, sent.currency)} as ${providerId}, by which refund ${id} of ${amountInWords(amountMinor, currency)} was settled. Find out which is right; the difference is in GET /admin/reconciliation/differences. Then retry this.`,
  };
}
