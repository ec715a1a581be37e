import {
  SOURCE_OF,
  type PayoutKind,
  type PayoutStanding,
} from '../../../workflows/commerce/payout/payout.rules';
import { LEVEL_IN_FORCE } from '../../kyc/standing/user-standing.reads';
import { firstRow, literals, type Db } from '../../sql/query';
import { OPEN_PAYOUTS } from '../../../workflows/commerce/payout/payout.states';

/** The standing of a user as payouts of a kind depend on it. Amounts are in minor units. */
export type PayoutAccount = PayoutStanding & {
  /** Null without a membership. */
  partnerId: string | null;
  /** Commissions that are not available yet. */
  pendingMinor: number;
  /** The amounts of open payouts of this kind. */
  heldMinor: number;
};

/** The account of a user; null if there is none. */
export const payoutAccount = (
  db: Db,
  { userId, kind, currency }: { userId: string; kind: PayoutKind; currency: string },
): Promise<PayoutAccount | null> =>
  firstRow<PayoutAccount>(
    db,
    `SELECT p.id AS partner_id, ${LEVEL_IN_FORCE} AS level, u.payout_sealed IS NOT NULL AS has_details,
       u.status = 'ACTIVE' AND u.erased_at IS NULL AS is_account_active, u.deletion_due_at IS NOT NULL AS is_being_deleted,
       $2 = 'PARTNER' AND coalesce(p.status = 'SUSPENDED', false) AS is_partner_suspended,
       open.n > 0 AS has_open, open.minor AS held_minor,
       coalesce((SELECT b.balance_minor FROM ledger_balances b
         WHERE b.user_id = u.id AND b.account = $4 AND b.currency = $3), 0) AS available_minor,
       coalesce((SELECT b.balance_minor FROM ledger_balances b
         WHERE b.user_id = u.id AND b.account = 'partner_pending' AND b.currency = $3), 0) AS pending_minor
     FROM users u LEFT JOIN partners p ON p.user_id = u.id
       CROSS JOIN LATERAL (SELECT count(*) AS n, coalesce(sum(o.amount_minor), 0)::bigint AS minor FROM payouts o
         WHERE o.user_id = u.id AND o.kind = $2 AND o.status IN (${literals(OPEN_PAYOUTS)})) open
     WHERE u.id = $1`,
    [userId, kind, currency, SOURCE_OF[kind]],
  );
