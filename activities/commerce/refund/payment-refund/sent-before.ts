import { readRefund, type PaymentRefund } from '../../../../db/commerce/refund/refund.transitions';
import type { Db } from '../../../../db/sql/query';
import { amountInWords } from '../../../../workflows/commerce/money.rules';
import { refusal } from '../../../../workflows/errors';
import { whilePersonWaits } from '../../../providers/while-person-waits';
import type { Payments } from '../../payment/payment-offer';
import { sentByProvider, type SentByProvider } from './look-up-refund';

/** A refund that was given up and that its provider may have sent, and what the provider says of it. */
export interface LookedUpRefund {
  /** The time at which the provider was asked; null: that is not recorded here. */
  askedAt: Date | null;
  /** Null: it has sent nothing. */
  sent: SentByProvider | null;
}

/**
 * Looks a refund up that a person is to settle, if its provider may have sent it after all; null: it cannot have. Refused with
 * CANNOT_SETTLE when the provider cannot say, also while it has the refund under way.
 */
export async function sentBefore(
  { db, payments }: { db: Db; payments: Payments },
  refundId: string,
): Promise<LookedUpRefund | null> {
  const refund = await readRefund(db, refundId);
  const { askedAt, mayBeSent, provider: code } = refund;
  if (!mayBeSent) return null;
  const provider = payments.providers.get(code);
  if (!provider)
    throw refusal(
      'CANNOT_SETTLE',
      `${code} ${askedAt === null ? 'may have been' : 'was'} asked to send this refund, and is not set up here any more. Set its keys again, so that it can say what became of it.`,
    );
  try {
    return { askedAt, sent: await whilePersonWaits(sentByProvider(db, provider, refund)) };
  } catch {
    throw refusal(
      'CANNOT_SETTLE',
      `${code} cannot say now whether it has already sent this refund. Try again later.`,
    );
  }
}

/** Refuses to settle a locked refund that was given up, or requested, only since it was looked up. */
export function requireLookedUp(refund: PaymentRefund, lookedUp: LookedUpRefund | null): void {
  const isLookedUp = lookedUp !== null && lookedUp.askedAt?.getTime() === refund.askedAt?.getTime();
  if (refund.mayBeSent && !isLookedUp)
    throw refusal('CANNOT_SETTLE', 'This refund has only just changed. Try again.');
}

/**
 * Refuses with CANNOT_SETTLE to settle by money of another amount, unless a person names it as what paid the refund: the comparison
 * with the provider shows the rest.
 */
export function requireNamed(
  { provider, amountMinor, currency }: PaymentRefund,
  { refundId, amountMinor: sentMinor }: SentByProvider,
  reference: string,
): void {
  if (sentMinor === amountMinor || reference === refundId) return;
  throw refusal(
    'CANNOT_SETTLE',
    `${provider} has sent ${amountInWords(sentMinor, currency)} of this refund. Give ${refundId} as the reference to complete it by that.`,
  );
}
