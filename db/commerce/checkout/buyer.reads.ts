import type { KycLevel } from '../../../workflows/kyc/kyc.rules';
import { firstRow, type Db } from '../../sql/query';

/** An address as an order keeps it: a copy, so that later edits do not rewrite history. */
export interface OrderAddress {
  recipientName: string;
  street: string;
  city: string;
  region: string | null;
  country: string;
  postalCode: string;
  phone: string | null;
}

/** One of a user's own addresses; null for another's, and for none. */
export function addressOfUser(db: Db, userId: string, addressId: string): Promise<OrderAddress | null> {
  return firstRow<OrderAddress>(
    db,
    `SELECT recipient_name, street, city, region, country, postal_code, phone
     FROM addresses WHERE id = $1 AND user_id = $2`,
    [addressId, userId],
  );
}

/** What decides how a buyer may pay: how well we know them, and what they have earned (minor units). */
export async function buyerStanding(
  db: Db,
  userId: string,
  currency: string,
): Promise<{ kycLevel: KycLevel; partnerAvailableMinor: number }> {
  const buyer = await firstRow<{ kycLevel: KycLevel; partnerAvailableMinor: number }>(
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
