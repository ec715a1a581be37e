import { Context } from '@temporalio/activity';
import { restoreIsUnreleased } from '../../../../db/administration/restore/restore.reads';
import {
  lockRefund,
  readRefund,
  type PaymentRefund,
} from '../../../../db/commerce/refund/refund.transitions';
import {
  markAsked,
  markFound,
  markRefused,
} from '../../../../db/commerce/refund/sending/refund-attempt.transitions';
import { markPending } from '../../../../db/commerce/refund/reported/reported-refund.transitions';
import type { Policy } from '../../../../db/policy/config';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type {
  PaymentRefundProviderActivities,
  SentRefund,
} from '../../../../workflows/commerce/refund/payment-refund.contract';
import { amountInWords } from '../../../../workflows/commerce/money.rules';
import { transferKey } from '../../../../workflows/commerce/payout/transfer-out.rules';
import type { PaymentProvider, RefundOutcome } from '../../../providers/payments/port';
import { CALL_BEGINS_WITHIN_MS } from '../../../providers/payouts/port';
import { notBefore } from '../../../providers/payouts/send-out';
import { providerOf, type Payments } from '../../payment/payment-offer';
import { endChargedBackRefund } from './end-charged-back-refund';
import { DAY_MS } from '../../../../workflows/kit/values/durations.rules';
import { lookUp, unsendable } from './look-up-refund';

type SendRefund = Parameters<PaymentRefundProviderActivities['sendRefund']>[0];

const HELD =
  'Nothing was sent: the database was restored from a copy, and the money may have been sent after that copy was made. An operator ' +
  'releases the restore (npm run restored); retry this then.';

const REFUSED = 'The provider has refused the refund. Retry asks it once more, as another refund.';

interface SendDeps {
  db: Db;
  payments: Payments;
  policy: Pick<Policy, 'bankRefundDays' | 'transferOutDays'>;
}

/**
 * Sends a refund through its provider; looks it up first, unless there was certainly no earlier try. Chosen: that costs a call only
 * after a try, a restore, or a day, after which providers may have forgotten its key. An attempt that is refused for certain is
 * recorded, so that the next one has another key, and begins only when `isNext` says so; one whose outcome is unknown keeps its key.
 */
export async function sendRefund(
  { db, payments, policy }: SendDeps,
  { refundId, again, isNext, at }: SendRefund,
): Promise<SentRefund> {
  const refund = await readRefund(db, refundId);
  // For example, a person has settled it meanwhile.
  if (refund.status !== 'PROCESSING' && !refund.awaitsLookUp) return { sentBy: 'NOBODY' };
  const provider = providerOf(payments, refund.provider);
  const wasTried = again || refund.askedAt !== null || Context.current().info.attempt > 1;
  const mayBeDone = wasTried || refund.chargebackId !== null || refund.isDisputeLost;
  const known = mayBeDone || refund.mayBeSentUnrecorded ? await lookUp(db, provider, refund) : null;
  if (known !== null && known.status !== 'refused') return sentBy(db, known, { refundId, at, policy });
  // A restarted try may itself have been refused.
  const isUnasked = known === null && !(isNext && Context.current().info.attempt === 1);
  const begunAt = Date.now();
  const unsent = await admitRefund(db, refundId, { mayBeDone, isUnasked, at });
  if (unsent === null) return { sentBy: 'NOBODY' };
  if (known !== null) return refusedBy(db, refund, known.reason, at);
  const outcome = await ask(provider, unsent, begunAt);
  if (outcome.status === 'refused') return refusedBy(db, unsent, outcome.reason, at);
  return sentBy(db, outcome, { refundId, at, policy });
}

/** Asks the provider to send a refund. Throws if its request was recorded so long ago that another try may have gone on meanwhile. */
async function ask(
  provider: PaymentProvider,
  { id, sendings, paymentId, amountMinor, currency }: PaymentRefund,
  begunAt: number,
): Promise<RefundOutcome> {
  const key = transferKey(id, sendings);
  if (Date.now() - begunAt > CALL_BEGINS_WITHIN_MS)
    throw new Error(
      `The request for refund ${key} is too old to be sent. It is looked up, and asked for again.`,
    );
  return provider.refund({ key, paymentId, amountMinor, currency });
}

async function refusedBy(db: Db, refund: PaymentRefund, reason: string, at: string): Promise<never> {
  await inTransaction(db, (tx) => markRefused(tx, refund, at));
  throw unsendable(`The provider refuses the refund: ${reason}`);
}

/**
 * Returns the part to send of a refund that the provider has not sent, and records that the provider is asked; the part
 * that lost chargebacks have paid ends here. Null when nothing is left. Throws while an undecided chargeback has taken it,
 * after a refusal unless the next attempt is requested, and after a restore that is not released.
 */
const admitRefund = (
  db: Db,
  refundId: string,
  { mayBeDone, isUnasked, at }: { mayBeDone: boolean; isUnasked: boolean; at: string },
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
    if (refund.isRefused && isUnasked) throw unsendable(REFUSED);
    if (await restoreIsUnreleased(tx)) throw new Error(HELD);
    await markAsked(tx, refund, notBefore(at));
    return refund;
  });

async function sentBy(
  db: Db,
  outcome: Exclude<RefundOutcome, { status: 'refused' }>,
  { refundId, at, policy }: { refundId: string; at: string; policy: SendDeps['policy'] },
): Promise<SentRefund> {
  if (outcome.status === 'manual') return { sentBy: 'PERSON', remindAfterMs: policy.bankRefundDays * DAY_MS };
  const { otherAttempt } = outcome;
  if (otherAttempt !== undefined) await inTransaction(db, (tx) => markFound(tx, refundId, otherAttempt, at));
  switch (outcome.status) {
    case 'pending':
      await inTransaction(db, (tx) => markPending(tx, refundId, at));
      return { sentBy: 'PROVIDER_LATER', overdueAfterMs: policy.transferOutDays * DAY_MS };
    case 'completed':
      return { sentBy: 'PROVIDER', providerRefundId: outcome.refundId };
  }
}
