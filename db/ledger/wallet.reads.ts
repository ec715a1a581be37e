import { literals, rows, type Db } from '../sql/query';
import { isOf } from './reference-columns';
import { OPEN_PAYOUTS } from '../../workflows/commerce/payout/payout.states';

/** A wallet in one currency, in minor units. */
export interface WalletBalance {
  currency: string;
  availableMinor: number;
  /**
   * The amount that unpaid orders and open withdrawals have taken out of it, or that withdrawn investments have not brought
   * to a card or a bank yet: it is in the wallet if they are cancelled, or refused.
   */
  heldMinor: number;
}

/** A user's wallet, by currency. */
export function walletOf(db: Db, userId: string): Promise<WalletBalance[]> {
  return rows<WalletBalance>(
    db,
    `SELECT b.currency, coalesce(max(b.balance_minor) FILTER (WHERE b.account = 'wallet'), 0)::bigint AS available_minor,
            coalesce((SELECT -sum(e.amount_minor)
                        FROM orders o
                        JOIN ledger_transfers t ON ${isOf('t', 'order-hold')} AND t.subject_id = o.id::text AND t.part = 'wallet'
                        JOIN ledger_entries e ON e.transfer_id = t.id
                       WHERE o.user_id = b.user_id AND o.status = 'PENDING_PAYMENT' AND e.user_id = b.user_id
                         AND e.account = 'wallet' AND e.currency = b.currency), 0)::bigint
            + coalesce((SELECT sum(w.amount_minor) FROM payouts w
                         WHERE w.user_id = b.user_id AND w.kind = 'WALLET' AND w.currency = b.currency
                           AND w.status IN (${literals(OPEN_PAYOUTS)})), 0)::bigint
            + coalesce((SELECT sum(i.net_minor) FROM investment_withdrawals i
                         WHERE i.user_id = b.user_id AND i.currency = b.currency
                           AND i.status = 'PROCESSING'), 0)::bigint AS held_minor
       FROM ledger_balances b WHERE b.user_id = $1 AND b.account IN ('wallet', 'payout_hold')
      GROUP BY b.user_id, b.currency ORDER BY b.currency`,
    [userId],
  );
}
