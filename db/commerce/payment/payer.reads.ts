import type { PayableKey } from '../../../workflows/commerce/payable/payable.rules';
import { firstRow, type Db } from '../../sql/query';
import { payableSql } from './payable';

/** The user of something paid for, as a mail about its money addresses them. */
export interface Payer {
  email: string;
  firstName: string;
  /** The thing that was paid for, such as `order ORD-2026-00000339`. */
  paidFor: string;
}

/** The user of something paid for; null when the account is erased, so that no mail is sent. */
export function payerOf(db: Db, payable: PayableKey): Promise<Payer | null> {
  const { noun, table, id } = payableSql(payable);
  return firstRow<Payer>(
    db,
    `SELECT u.email, u.first_name, '${noun} ' || p.number AS paid_for FROM ${table} p JOIN users u ON u.id = p.user_id
     WHERE p.id = $1 AND u.erased_at IS NULL`,
    [id],
  );
}
