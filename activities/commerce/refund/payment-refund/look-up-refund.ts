import { ApplicationFailure } from '@temporalio/common';
import {
  splitOrigins,
  type PaymentRefund,
  type SplitRefund,
} from '../../../../db/commerce/refund/refund.transitions';
import type { Db } from '../../../../db/sql/query';
import { amountInWords } from '../../../../workflows/commerce/money.rules';
import { transferKey } from '../../../../workflows/commerce/payout/transfer-out.rules';
import type { PaymentProvider, RefundOutcome } from '../../../providers/payments/port';
import type { TransferFate } from '../../../providers/payouts/port';

/**
 * Looks a refund up at its provider: the last attempt, and those before it, which were refused and may have been sent after all.
 * Throws when the provider has sent another amount than we have recorded.
 */
export async function lookUp(
  db: Db,
  provider: PaymentProvider,
  refund: PaymentRefund,
): Promise<RefundOutcome | null> {
  const { amountMinor, currency } = refund;
  const known = await outcomeOf(provider, refund, refund.paymentId);
  if (known?.status === 'completed' && known.amountMinor !== amountMinor)
    throw unsendable(
      `The provider sent ${amountInWords(known.amountMinor, currency)} as ${known.refundId}, although this refund is of ${amountInWords(amountMinor, currency)} now; a lost chargeback may have paid the rest.`,
    );
  if (known === null || known.status === 'refused') await requireUnsentWhole(db, provider, refund);
  return known;
}

/** The outcome of the attempts of a refund; refused: that of the last one, and nothing became of any other. */
function outcomeOf(
  provider: PaymentProvider,
  { id, sendings }: Pick<PaymentRefund, 'id' | 'sendings'>,
  paymentId: string,
): Promise<RefundOutcome | null> {
  return provider.lookUpRefund({ key: transferKey(id, sendings), paymentId });
}

/**
 * The fate of a refund as that of a transfer: its own, or what its provider has sent with the refund of which it was a part; null: its
 * provider knows none. Throws when the provider cannot say.
 */
export async function fateOfRefund(
  db: Db,
  provider: PaymentProvider,
  refund: PaymentRefund,
): Promise<TransferFate | null> {
  const known = await outcomeOf(provider, refund, refund.paymentId);
  if (known?.status === 'pending') return { status: 'under way' };
  if (known?.status === 'completed') {
    const { status: _, refundId: transferId, ...sent } = known;
    return { status: 'arrived', transferId, ...sent };
  }
  const whole = await sentWithWhole(db, provider, refund);
  if (whole) return { status: 'arrived', transferId: whole.refundId, amountMinor: whole.amountMinor };
  return known?.status === 'refused' ? known : null;
}

/** Throws for a part that was split off, when the provider sent it with the refund of which it was a part. */
async function requireUnsentWhole(db: Db, provider: PaymentProvider, refund: PaymentRefund): Promise<void> {
  const whole = await sentWithWhole(db, provider, refund);
  if (whole === null) return;
  const { origin, refundId, amountMinor } = whole;
  throw unsendable(
    `This is a part of refund ${origin.id}, for which the provider sent ${amountInWords(amountMinor, refund.currency)} as ${refundId}, which is not recorded in full. It may have been sent by that, so it is not sent again.`,
  );
}

/** The refund of which this one was a part, where the provider sent more of it than is recorded; null: it did not. */
async function sentWithWhole(
  db: Db,
  provider: PaymentProvider,
  { id, paymentId }: PaymentRefund,
): Promise<{ origin: SplitRefund; refundId: string; amountMinor: number } | null> {
  for (const origin of await splitOrigins(db, id)) {
    const known = await outcomeOf(provider, origin, paymentId);
    if (known?.status === 'pending') throw unfinished(known.refundId);
    if (known?.status !== 'completed') continue;
    const { refundId, amountMinor } = known;
    if (amountMinor <= origin.amountMinor && refundId === origin.providerRefundId) continue;
    if (amountMinor <= origin.amountMinor && origin.status === 'PROCESSING')
      throw new Error(`Refund ${refundId} of ${origin.id} is not booked yet.`);
    return { origin, refundId, amountMinor };
  }
  return null;
}

const unfinished = (providerRefundId: string): Error =>
  new Error(`The provider has not finished refund ${providerRefundId}.`);

/** The failure of a refund that no retry can send: a person has to look at it. */
export const unsendable = (why: string): Error => ApplicationFailure.nonRetryable(why, 'RefundRefused');
