import type { Attributes } from 'sequelize';
import type { PayableIds } from '../../../workflows/commerce/payable/payable.rules';
import { payablesAs } from '../payment/payable';
import { rows, type Db } from '../../sql/query';
import type { PaymentRefund } from './payment-refund.model';

/** Money that came for something, did not pay it and goes back, as its user may read it. */
export type StrayRefund = Pick<
  Attributes<PaymentRefund>,
  'id' | 'status' | 'reason' | 'amountMinor' | 'currency' | 'createdAt' | 'completedAt'
> & { payableId: string; number: string };

/** All of a user that came for one kind of what can be paid for, oldest first. */
export function strayRefundsOf(
  db: Db,
  userId: string,
  kind: Exclude<keyof PayableIds, 'orderId'>,
): Promise<StrayRefund[]> {
  const { table, column } = payablesAs(kind);
  return rows<StrayRefund>(
    db,
    `SELECT r.id, p.id AS payable_id, p.number, r.status, r.reason, r.amount_minor, r.currency, r.created_at,
       r.completed_at
     FROM ${table} p JOIN payment_refunds r ON r.${column} = p.id
     WHERE p.user_id = $1 ORDER BY r.created_at, r.id`,
    [userId],
  );
}
