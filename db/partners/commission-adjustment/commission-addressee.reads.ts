import { firstRow, type Db } from '../../sql/query';

/** The address of a partner; null when the account is erased. */
export const partnerAddressee = (
  db: Db,
  partnerId: string,
): Promise<{ email: string; firstName: string } | null> =>
  firstRow(
    db,
    `SELECT u.email, u.first_name FROM partners p JOIN users u ON u.id = p.user_id AND u.erased_at IS NULL
     WHERE p.id = $1`,
    [partnerId],
  );
