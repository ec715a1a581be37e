import type { Placement } from '../../../db/commerce/checkout/placement.reads';
import { holdBalance } from '../payment/hold-balance';
import { reopenPayment } from '../../../db/commerce/order/order-payment.transitions';
import { attemptsOf } from '../../../db/commerce/payment/payment-attempt.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type { PayOrder } from '../../../workflows/commerce/checkout/checkout.contract';
import { laterOf, payUntil } from '../../../workflows/commerce/payment/payment.rules';
import { notPayable } from '../../../workflows/commerce/order/order.contract';
import { refusal } from '../../../workflows/errors';
import { isStillOffered } from '../payment/payment-offer';
import { requireOrder } from '../order/require-order';
import { requireInTime } from './in-time';
import { openOfferedAttempt } from './open-attempt';
import { changePlacedMail, inLetter } from '../order/queue-placed-mail';
import { requirePlacement, type CheckoutDeps } from './place-order';
import { settleFromBalance } from './settle-from-balance';

/**
 * Opens a new attempt to pay an order, or returns the open attempt by the same method, unless its page can no longer be
 * opened. Refused: NOT_PAYABLE, INSUFFICIENT_BALANCE.
 */
export const openPayment = (
  { db, payments, policy }: CheckoutDeps,
  { orderId, attemptId, paymentMethod, at, notAfter }: { orderId: string } & PayOrder & { at: string },
): Promise<Placement> =>
  inTransaction(db, async (tx) => {
    const order = await requireOrder(tx, orderId);
    const attempts = await attemptsOf(tx, { orderId });
    if (attempts.some((attempt) => attempt.id === attemptId)) return requirePlacement(tx, orderId);
    requireInTime(notAfter);
    if (order.status !== 'PENDING_PAYMENT' || order.payBy <= at)
      throw notPayable(order.status, order.paymentStatus === 'PAID');
    const [latest] = attempts;
    if (latest && isStillOffered(payments, latest, { method: paymentMethod, at }))
      return requirePlacement(tx, orderId);
    if (attempts.length >= policy.paymentAttempts)
      throw refusal('NOT_PAYABLE', `An order can have at most ${policy.paymentAttempts} payment attempts.`);
    const expiresAt = payUntil(policy, { method: paymentMethod, placedAt: order.createdAt, at });
    const { currency, number: orderNumber } = order;
    const attemptMinor = order.totalMinor - order.partnerBalanceMinor;
    const attempt = { attemptId, orderId, orderNumber, method: paymentMethod, attemptMinor, currency };
    const means = await openOfferedAttempt(tx, payments, { ...attempt, openedAt: at, expiresAt });
    await reopenPayment(tx, { orderId, paymentMethod, payBy: laterOf(order.payBy, expiresAt), at });
    if (paymentMethod === 'BALANCE') {
      const walletMinor = await settleFromBalance(tx, order, 'BALANCE', at);
      await holdBalance(tx, order, 'wallet', walletMinor, at);
    } else {
      const payment = inLetter(means, payments.accountHolder);
      await changePlacedMail(tx, orderId, {
        ...payment,
        amountMinor: attemptMinor,
        expiresAt: new Date(expiresAt),
      });
    }
    return requirePlacement(tx, orderId);
  });
