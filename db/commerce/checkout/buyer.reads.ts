import type { Attributes } from 'sequelize';
import type { User } from '../../identity/user/user.model';
import type { OrderAddress } from '../../identity/address/order-address';
import { LEVEL_IN_FORCE } from '../../kyc/standing/user-standing.reads';
import { firstRow, type Db } from '../../sql/query';

/** One of a user's own addresses; null for an address of someone else and for an unknown one. */
export function addressOfUser(db: Db, userId: string, addressId: string): Promise<OrderAddress | null> {
  return firstRow<OrderAddress>(
    db,
    `SELECT recipient_name, street, city, region, country, postal_code, phone
     FROM addresses WHERE id = $1 AND user_id = $2`,
    [addressId, userId],
  );
}

/** A buyer: whom mails address, and the facts that limit how they may pay. */
export type Buyer = Pick<Attributes<User>, 'email' | 'firstName' | 'kycLevel'> & {
  partnerAvailableMinor: number;
};

/** The partner balance `b` of a user `u`; none while their membership is suspended or terminated. */
const SPENDABLE = `CASE WHEN EXISTS (SELECT 1 FROM partners p WHERE p.user_id = u.id AND p.status <> 'ACTIVE') THEN 0
  ELSE coalesce(b.balance_minor, 0) END`;

/**
 * A buyer, with the partner balance that they may spend in this currency. One who spends it has the level that is in force now; for other
 * orders only NONE matters, which no end of an approval leads to.
 */
export async function buyerOf(
  db: Db,
  userId: string,
  { currency, spendsBalance }: { currency: string; spendsBalance: boolean },
): Promise<Buyer> {
  const buyer = await firstRow<Buyer>(
    db,
    `SELECT u.email, u.first_name, ${spendsBalance ? LEVEL_IN_FORCE : 'u.kyc_level'} AS kyc_level,
            ${SPENDABLE} AS partner_available_minor
     FROM users u LEFT JOIN ledger_balances b
       ON b.user_id = u.id AND b.account = 'partner_available' AND b.currency = $2
     WHERE u.id = $1`,
    [userId, currency],
  );
  if (!buyer) throw new Error(`There is no user ${userId}.`);
  return buyer;
}
