import type { Attributes } from 'sequelize';
import type { Address } from '../../identity/address/address.model';
import type { User } from '../../identity/user/user.model';
import { firstRow, type Db } from '../../sql/query';

/** The address of an order: a copy, so that later edits do not change the order. */
export type OrderAddress = Pick<
  Attributes<Address>,
  'recipientName' | 'street' | 'city' | 'region' | 'country' | 'postalCode' | 'phone'
>;

/** One of a user's own addresses; null for an address of someone else and for an unknown one. */
export function addressOfUser(db: Db, userId: string, addressId: string): Promise<OrderAddress | null> {
  return firstRow<OrderAddress>(
    db,
    `SELECT recipient_name, street, city, region, country, postal_code, phone
     FROM addresses WHERE id = $1 AND user_id = $2`,
    [addressId, userId],
  );
}

type BuyerLimits = Pick<Attributes<User>, 'kycLevel'> & { partnerAvailableMinor: number };

/** The facts that limit how a buyer may pay: the KYC level and the partner balance. */
export async function buyerLimits(db: Db, userId: string, currency: string): Promise<BuyerLimits> {
  const buyer = await firstRow<BuyerLimits>(
    db,
    `SELECT u.kyc_level, coalesce(b.balance_minor, 0) AS partner_available_minor
     FROM users u LEFT JOIN ledger_balances b
       ON b.user_id = u.id AND b.account = 'partner_available' AND b.currency = $2
     WHERE u.id = $1`,
    [userId, currency],
  );
  if (!buyer) throw new Error(`There is no user ${userId}.`);
  return buyer;
}
