import { readRefund, type PaymentRefund } from '../../../../db/commerce/refund/refund.transitions';
import type { Db } from '../../../../db/sql/query';
import { refusal } from '../../../../workflows/errors';
import { BANK } from '../../../providers/payments/bank/driver';
import { isSameAttempt, type AttemptedTransfer } from '../../../providers/payouts/attempted-transfer';
import { lookUpAttempt, type FoundAttempt, type Reached } from '../../../providers/payouts/look-up-attempt';
import { whilePersonWaits } from '../../../providers/while-person-waits';
import type { Payments } from '../../payment/payment-offer';
import { fateOfRefund } from './look-up-refund';

/** A refund before it was locked, and the fate of its attempts at its provider; null: it is over. */
export interface LookedUpRefund {
  before: PaymentRefund;
  found: FoundAttempt | null;
}

/** A refund as money that is paid out, as far as its attempts at its provider depend on it. */
export const asTransfer = (refund: PaymentRefund): AttemptedTransfer => {
  const { id, sendings, amountMinor, currency, provider } = refund;
  // What was given up had certainly not been sent then, and a refusal is certain; both are looked up once more, as what a restore lost.
  const isEnded = refund.isRefused || refund.status === 'ABANDONED';
  const askedAt = isEnded || provider === BANK ? null : refund.askedAt;
  const mayBeSent =
    askedAt === null && provider !== BANK && (refund.askedAt !== null || refund.mayBeSentUnrecorded);
  return {
    ...{ id, sendings, amountMinor, currency, name: 'refund', askedAt, askedProvider: provider },
    unproven: mayBeSent ? [{ attempt: sendings, provider }] : [],
  };
};

/** The state of a refund that is not over, as that of money that is paid out. */
export const openStateOf = (refund: PaymentRefund): 'DUE' | 'ASKED' | 'BY_HAND' => {
  if (refund.status === 'ABANDONED' || refund.provider === BANK) return 'BY_HAND';
  return asTransfer(refund).askedAt === null ? 'DUE' : 'ASKED';
};

/** Looks the attempts of a refund up at its provider, for a person who gives it up or settles it. */
export async function lookUpAttempts(
  { db, payments }: { db: Db; payments: Payments },
  { refundId, at }: { refundId: string; at: string },
): Promise<LookedUpRefund> {
  const before = await readRefund(db, refundId);
  if (before.status !== 'PROCESSING' && before.status !== 'ABANDONED') return { before, found: null };
  const reached = reachedFor(db, payments, before);
  return { before, found: await lookUpAttempt(reached, asTransfer(before), new Date(at), whilePersonWaits) };
}

/** The provider of a refund, as it is asked about it. */
function reachedFor(db: Db, { providers, retired }: Payments, refund: PaymentRefund): Reached {
  const provider = providers.get(refund.provider);
  const lookedUp = provider && {
    ...{ code: provider.code, certainAfterMs: provider.certainAfterMs, remembersForMs: null },
    lookUpTransfer: () => fateOfRefund(db, provider, refund),
  };
  return {
    providers: new Map(lookedUp ? [[provider.code, lookedUp]] : []),
    ...(retired && { retired }),
  };
}

/** The result of the look-up for a locked refund; null: another attempt at its provider has begun or ended since. */
export const foundNow = (refund: PaymentRefund, { before, found }: LookedUpRefund): FoundAttempt | null =>
  refund.status === before.status && (refund.provider === BANK || isSameAttempt(refund, before))
    ? found
    : null;

/** The same, refused with CANNOT_SETTLE instead. */
export function requireFound(refund: PaymentRefund, lookedUp: LookedUpRefund): FoundAttempt {
  const found = foundNow(refund, lookedUp);
  if (found === null) throw refusal('CANNOT_SETTLE', 'The refund has only just changed. Try again.');
  return found;
}
