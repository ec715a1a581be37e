import { rows, type Db } from '../../../sql/query';
import { NUMBER, payableColumns, payablesOf, USER_ID } from '../../payment/payable';
import type { PaymentRefund } from '../refund.transitions';
import type { PayableIds } from '../../../../workflows/commerce/payable/payable.rules';

/** A refund whose money may be on its way. */
export type RefundUnderWay = Pick<PaymentRefund, keyof PayableIds | 'id' | 'amountMinor' | 'currency'> & {
  /** The number of what was paid for. */
  number: string;
  userId: string;
  createdAt: Date;
};

/** The next refunds that are PROCESSING since before a time, in the order of that and after a position. */
export const refundsUnderWay = (
  db: Db,
  {
    before,
    after,
    limit,
  }: { before: Date; after: Pick<RefundUnderWay, 'createdAt' | 'id'> | null; limit: number },
): Promise<RefundUnderWay[]> =>
  rows<RefundUnderWay>(
    db,
    `SELECT r.id, ${payableColumns('r')}, ${NUMBER} AS number, ${USER_ID} AS user_id, r.amount_minor, r.currency, r.created_at
     FROM payment_refunds r ${payablesOf('r')}
     WHERE r.status = 'PROCESSING' AND r.created_at < $1 AND (r.created_at, r.id) > ($2, $3)
     ORDER BY r.created_at, r.id LIMIT $4`,
    [before, after?.createdAt ?? '-infinity', after?.id ?? '00000000-0000-0000-0000-000000000000', limit],
  );
