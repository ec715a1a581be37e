import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import {
  abandonRefund,
  completeRefund,
  lockRefund,
  readRefund,
  type PaymentRefund,
} from '../../../db/commerce/refund/refund.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  RefundBookActivities,
  RefundCallActivities,
  SentRefund,
} from '../../../workflows/commerce/refund/payment-refund.contract';
import type { RefundOutcome } from '../../providers/payments/port';
import { refundIsSent, requestHasFailed } from './conclude-refund';
import { endChargedBackRefund } from './end-charged-back-refund';
import { providerOf, type Payments } from '../payment/payment-offer';
import { requireOrder } from '../order/place-order';
import { inWords } from './refund-letter';
import { settleRefundOnce } from './settle-refund';

type RefundActivities = RefundBookActivities & RefundCallActivities;

const DAY_MS = 24 * 3_600_000;

export const paymentRefundActivities = ({
  db,
  payments,
  policy,
}: {
  db: Db;
  payments: Payments;
  policy: Pick<Policy, 'bankRefundDays'>;
}): RefundActivities => ({
  refundProvider: async ({ refundId }) => (await readRefund(db, refundId)).provider,

  async sendRefund({ refundId, again, at = new Date().toISOString() }) {
    const { provider: code, paymentId, currency, ...refund } = await readRefund(db, refundId);
    // Settled by a person, say, before anybody got to it.
    if (refund.status !== 'PROCESSING') return { sentBy: 'NOBODY' };
    const provider = providerOf(payments, code);
    // A try before this one may have been carried out without our hearing of it.
    const wasTried = again || refund.chargebackId !== null || Context.current().info.attempt > 1;
    const mayBeDone = wasTried || refund.isDisputeLost;
    const known = mayBeDone ? await provider.lookUpRefund({ key: refundId, paymentId }) : null;
    if (known === null || known.status === 'refused') {
      const unsent = await admitRefund(db, refundId, at);
      if (unsent === null) return { sentBy: 'NOBODY' };
      const order = { key: refundId, paymentId, amountMinor: unsent.amountMinor, currency };
      return sentBy(known ?? (await provider.refund(order)), policy);
    }
    return sentBy(known, policy);
  },

  paymentRefundStanding: ({ refundId }) =>
    inTransaction(db, async (tx) => {
      const { status, refundRequestId, orderId } = await lockRefund(tx, refundId);
      const { userId, status: orderStatus } = await requireOrder(tx, orderId);
      return { status, refundRequestId, orderId, userId, orderStatus };
    }),

  settleRefund: (settlement) => settleRefundOnce(db, settlement),

  completeRefund: ({ refundId, providerRefundId, at }) =>
    inTransaction(db, async (tx) => {
      const refund = await completeRefund(tx, refundId, providerRefundId, at);
      if (refund.now) await refundIsSent(tx, refund, at);
      return refund.refundRequestId;
    }),

  abandonRefund: ({ refundId, at }) =>
    inTransaction(db, async (tx) => {
      const { now, refundRequestId } = await abandonRefund(tx, refundId);
      if (!now) return refundRequestId;
      const ended = await endChargedBackRefund(tx, refundId, at);
      if (ended?.id === refundId || refundRequestId === null) return refundRequestId;
      const { amountMinor } = await readRefund(tx, refundId);
      await requestHasFailed(tx, refundRequestId, amountMinor, at);
      return refundRequestId;
    }),
});

function sentBy(outcome: RefundOutcome, { bankRefundDays }: Pick<Policy, 'bankRefundDays'>): SentRefund {
  if (outcome.status === 'refused') throw unsendable(`The provider refuses the refund: ${outcome.reason}`);
  return outcome.status === 'manual'
    ? { sentBy: 'PERSON', remindAfterMs: bankRefundDays * DAY_MS }
    : { sentBy: 'PROVIDER', providerRefundId: outcome.refundId };
}

/**
 * Answers what is to be sent of a refund that the provider has not sent: what chargebacks that we lost have paid ends here.
 * Null when nothing is left. Refused while a chargeback that is not decided has taken it.
 */
const admitRefund = (db: Db, refundId: string, at: string): Promise<PaymentRefund | null> =>
  inTransaction(db, async (tx) => {
    await lockRefund(tx, refundId);
    await endChargedBackRefund(tx, refundId, at);
    const refund = await readRefund(tx, refundId);
    const { status, overdrawnMinor, currency } = refund;
    if (status !== 'PROCESSING') return null;
    if (overdrawnMinor > 0)
      throw unsendable(
        `The buyer's bank took ${inWords(overdrawnMinor, currency)} of it back. It goes on when that dispute is decided.`,
      );
    return refund;
  });

const unsendable = (why: string): Error => ApplicationFailure.nonRetryable(why, 'RefundRefused');
