import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import { attemptsOf, moveAttempt } from '../../../db/commerce/payment/payment-attempt.transitions';
import { settleOrder } from '../payable/settle-order';
import type { Tx } from '../../../db/sql/query';
import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';

/**
 * Settles a locked order that requires no provider: one paid by balance, or covered by the partner balance. Returns the
 * amount that the wallet has to pay, which is not held yet; 0 for any other order, which is not settled.
 */
export async function settleFromBalance(
  tx: Tx,
  order: LockedOrder,
  method: PaymentMethod,
  at: string,
): Promise<number> {
  const restMinor = order.totalMinor - order.partnerBalanceMinor;
  if (method !== 'BALANCE' && restMinor > 0) return 0;
  const [attempt] = await attemptsOf(tx, { orderId: order.id });
  if (attempt) await moveAttempt(tx, attempt, 'PAID', at);
  await settleOrder(tx, order, { method, by: order.userId, at });
  return restMinor;
}
