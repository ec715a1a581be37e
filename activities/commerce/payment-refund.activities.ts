import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { abandonRefund, completeRefund, lockRefund, readRefund } from '../../db/commerce/refund.transitions';
import type { Policy } from '../../db/policy/config';
import type { Db } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type {
  RefundBookActivities,
  RefundCallActivities,
} from '../../workflows/commerce/payment-refund.contract';
import { requestHasFailed, requestIsSent } from './conclude-refund';
import { providerOf, type Payments } from './payment-offer';
import { requireOrder } from './place-order';
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

  async sendRefund({ refundId, again }) {
    const { provider: code, paymentId, amountMinor, currency } = await readRefund(db, refundId);
    const provider = providerOf(payments, code);
    // A try before this one may have been carried out without our hearing of it.
    const mayBeDone = again || Context.current().info.attempt > 1;
    const known = mayBeDone ? await provider.lookUpRefund({ key: refundId, paymentId }) : null;
    if (!known) await requireSendable(db, refundId);
    const outcome = known ?? (await provider.refund({ key: refundId, paymentId, amountMinor, currency }));
    if (outcome.status === 'refused') throw unsendable(`The provider refuses the refund: ${outcome.reason}`);
    return outcome.status === 'manual'
      ? { sentBy: 'PERSON', remindAfterMs: policy.bankRefundDays * DAY_MS }
      : { sentBy: 'PROVIDER', providerRefundId: outcome.refundId };
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
      const { now, orderId, refundRequestId } = await completeRefund(tx, refundId, providerRefundId, at);
      if (now && refundRequestId !== null) await requestIsSent(tx, orderId, refundRequestId, at);
      return refundRequestId;
    }),

  abandonRefund: ({ refundId, at }) =>
    inTransaction(db, async (tx) => {
      const { now, amountMinor, refundRequestId } = await abandonRefund(tx, refundId);
      if (now && refundRequestId !== null) await requestHasFailed(tx, refundRequestId, amountMinor, at);
      return refundRequestId;
    }),
});

/** Refuses what is sent already, or what a buyer's bank has taken back since it was scheduled. */
const requireSendable = (db: Db, refundId: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { status, overdrawnMinor, currency } = await lockRefund(tx, refundId);
    if (status !== 'PROCESSING') throw unsendable(`The refund is ${status}.`);
    if (overdrawnMinor > 0)
      throw unsendable(
        `The buyer's bank took ${inWords(overdrawnMinor, currency)} of it back. Retry when it has returned them.`,
      );
  });

const unsendable = (why: string): Error => ApplicationFailure.nonRetryable(why, 'RefundRefused');
