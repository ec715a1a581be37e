import type { PayableKey } from '../../../workflows/commerce/payable/payable.rules';
import { firstRow, type Db } from '../../sql/query';
import { payableSql } from './payable';

/**
 * The attempts that are over, paid nothing and whose page at a company may still be open: EXPIRED are also those whose
 * payable was given up. A fragment over `payment_attempts`.
 */
export const IS_LEFT = `method IN ('CARD', 'EWALLET') AND status NOT IN ('PENDING', 'PAID')`;

/** True if a page may still be open on which something that no longer waits for its payment could be paid. */
export async function hasPagesLeft(db: Db, payable: PayableKey): Promise<boolean> {
  const { column, id } = payableSql(payable);
  const left = await firstRow(
    db,
    `SELECT 1 FROM payment_attempts WHERE ${column} = $1 AND ${IS_LEFT} LIMIT 1`,
    [id],
  );
  return left !== null;
}
