import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import {
  lockRefund,
  markAsked,
  readRefund,
  splitOrigins,
  type PaymentRefund,
} from '../../../../db/commerce/refund/refund.transitions';
import type { Policy } from '../../../../db/policy/config';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type {
  PaymentRefundProviderActivities,
  SentRefund,
} from '../../../../workflows/commerce/refund/payment-refund.contract';
import { amountInWords } from '../../../../workflows/commerce/money.rules';
import type { PaymentProvider, RefundOutcome } from '../../../providers/payments/port';
import { providerOf, type Payments } from '../../payment/payment-offer';
import { endChargedBackRefund } from '../../chargeback/end-charged-back-refund';

type SendRefund = Parameters<PaymentRefundProviderActivities['sendRefund']>[0];

const DAY_MS = 24 * 3_600_000;

/** Sends a refund through its provider; looks it up first, unless there was certainly no earlier try. */
export async function sendRefund(
  { db, payments, policy }: { db: Db; payments: Payments; policy: Pick<Policy, 'bankRefundDays'> },
  { refundId, again, at = new Date().toISOString() }: SendRefund,
): Promise<SentRefund> {
  const refund = await readRefund(db, refundId);
  // For example, a person has settled it meanwhile.
  if (refund.status !== 'PROCESSING' && !refund.awaitsLookUp) return { sentBy: 'NOBODY' };
  const provider = providerOf(payments, refund.provider);
  const wasTried = again || refund.askedAt !== null || Context.current().info.attempt > 1;
  const mayBeDone = wasTried || refund.chargebackId !== null || refund.isDisputeLost;
  const known = mayBeDone ? await lookUp(db, provider, refund) : null;
  if (known !== null && known.status !== 'refused') return sentBy(known, policy);
  const unsent = await admitRefund(db, refundId, { mayBeDone, at });
  if (unsent === null) return { sentBy: 'NOBODY' };
  const { paymentId, amountMinor, currency } = unsent;
  const order = { key: refundId, paymentId, amountMinor, currency };
  return sentBy(known ?? (await provider.refund(order)), policy);
}

/** Looks a refund up at its provider. Throws when the provider has sent another amount than we have recorded. */
async function lookUp(
  db: Db,
  provider: PaymentProvider,
  refund: PaymentRefund,
): Promise<RefundOutcome | null> {
  const { id, paymentId, amountMinor, currency } = refund;
  const known = await provider.lookUpRefund({ key: id, paymentId });
  if (known?.status === 'completed' && known.amountMinor !== amountMinor)
    throw unsendable(
      `The provider sent ${amountInWords(known.amountMinor, currency)} as ${known.refundId}, although this refund is of ${amountInWords(amountMinor, currency)} now; a lost chargeback may have paid the rest.`,
    );
  if (known === null || known.status === 'refused') await requireUnsentWhole(db, provider, refund);
  return known;
}

/** Throws for a part that was split off, when the provider sent it with the refund of which it was a part. */
async function requireUnsentWhole(
  db: Db,
  provider: PaymentProvider,
  { id, paymentId, currency }: PaymentRefund,
): Promise<void> {
  for (const origin of await splitOrigins(db, id)) {
    const known = await provider.lookUpRefund({ key: origin.id, paymentId });
    if (known?.status !== 'completed') continue;
    const { refundId, amountMinor } = known;
    if (amountMinor <= origin.amountMinor && refundId === origin.providerRefundId) continue;
    if (amountMinor <= origin.amountMinor && origin.status === 'PROCESSING')
      throw new Error(`Refund ${refundId} of ${origin.id} is not booked yet.`);
    throw unsendable(
      `This is a part of refund ${origin.id}, for which the provider sent ${amountInWords(amountMinor, currency)} as ${refundId}, which is not recorded in full. It may have been sent by that, so it is not sent again.`,
    );
  }
}

/**
 * Answers the part to send of a refund that the provider has not sent, and records that the provider is asked; the part
 * that lost chargebacks have paid ends here. Null when nothing is left. Throws while an undecided chargeback has taken it.
 */
const admitRefund = (
  db: Db,
  refundId: string,
  { mayBeDone, at }: { mayBeDone: boolean; at: string },
): Promise<PaymentRefund | null> =>
  inTransaction(db, async (tx) => {
    const { askedAt } = await lockRefund(tx, refundId);
    if (askedAt !== null && !mayBeDone) throw new Error('Another try is asking the provider.');
    await endChargedBackRefund(tx, refundId, at);
    const refund = await readRefund(tx, refundId);
    const { status, overdrawnMinor, currency } = refund;
    if (status !== 'PROCESSING') return null;
    if (overdrawnMinor > 0)
      throw unsendable(
        `The buyer's bank took ${amountInWords(overdrawnMinor, currency)} of it back. It goes on when that dispute is decided.`,
      );
    await markAsked(tx, refundId, at);
    return refund;
  });

function sentBy(outcome: RefundOutcome, { bankRefundDays }: Pick<Policy, 'bankRefundDays'>): SentRefund {
  if (outcome.status === 'refused') throw unsendable(`The provider refuses the refund: ${outcome.reason}`);
  return outcome.status === 'manual'
    ? { sentBy: 'PERSON', remindAfterMs: bankRefundDays * DAY_MS }
    : { sentBy: 'PROVIDER', providerRefundId: outcome.refundId };
}

/** The failure of a refund that no retry can send: a person has to look at it. */
export const unsendable = (why: string): Error => ApplicationFailure.nonRetryable(why, 'RefundRefused');
