import { validate } from 'uuid';
import { sandboxRefundBy } from '../../../../db/commerce/sandbox/sandbox.reads';
import {
  insertSandboxRefund,
  lockSandboxRefund,
  lockSandboxRefundsOf,
  refundableSandboxPayment,
} from '../../../../db/commerce/sandbox/sandbox.writes';
import type { Db, Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { RefundOrder, RefundOutcome } from '../port';

/** Gives money back in the sandbox, once for each key. Repeating it returns the first result; another refund under the key throws. */
export const makeSandboxRefund = (db: Db, order: RefundOrder): Promise<RefundOutcome> =>
  inTransaction(db, async (tx): Promise<RefundOutcome> => {
    const { key, paymentId, amountMinor, currency } = order;
    await lockSandboxRefund(tx, key);
    const before = await sandboxRefundBy(tx, key);
    if (before) {
      const same =
        before.paymentId === paymentId && before.amountMinor === amountMinor && before.currency === currency;
      if (!same) throw new Error(`The key ${key} is of another refund.`);
      return { status: 'completed', refundId: before.id, amountMinor };
    }
    await lockSandboxRefundsOf(tx, paymentId);
    const reason = await reasonAgainst(tx, order);
    if (reason !== null) return { status: 'refused', reason };
    return { status: 'completed', refundId: await insertSandboxRefund(tx, order), amountMinor };
  });

/** The reason against the refund; null if there is none, or the payment is unknown here, such as a bank transfer. */
async function reasonAgainst(
  tx: Tx,
  { paymentId, amountMinor, currency }: RefundOrder,
): Promise<string | null> {
  if (!validate(paymentId)) return null;
  const payment = await refundableSandboxPayment(tx, paymentId);
  if (!payment) return null;
  if (payment.status !== 'PAID') return 'No money came in by this payment.';
  if (payment.currency !== currency) return `The payment was in ${payment.currency}.`;
  return amountMinor > payment.leftMinor ? 'More would be given back than was paid.' : null;
}
