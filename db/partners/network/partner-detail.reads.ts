import type { Attributes } from 'sequelize';
import { Payout } from '../../commerce/payout/payout.model';
import { firstRow, rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import type { User } from '../../identity/user/user.model';
import type { Commission } from '../commission/commission.model';
import type { PartnerStanding } from '../membership/partner-standing.model';
import { joinRank } from '../programme/rank-join';
import type { Sponsor } from '../membership/membership-letter.reads';
import type { Partner } from '../membership/partner.model';

/** A partner with everything that is counted of it. Money is in minor units of the platform's currency. */
export type PartnerDetail = Pick<
  Attributes<Partner>,
  'id' | 'userId' | 'number' | 'referralCode' | 'status' | 'joinedAt' | 'activatedAt'
> &
  Pick<Attributes<User>, 'email' | 'phone' | 'payoutMethod' | 'payoutMasked' | 'payoutChangedAt'> &
  Pick<
    Attributes<PartnerStanding>,
    | 'rankLevel'
    | 'highestRankLevel'
    | 'highestRankAt'
    | 'networkSize'
    | 'networkDepth'
    | 'groupPoints'
    | 'earnedMinor'
  > & {
    userStatus: Attributes<User>['status'];
    name: string;
    rankName: string;
    rankCode: string;
    highestRankName: string;
    highestRankCode: string;
    sponsor: Sponsor | null;
    availableMinor: number;
    pendingMinor: number;
    withdrawnMinor: number;
    /** Of this month (UTC), in hundredths. */
    periodPoints: number;
    directReferrals: number;
    activeReferrals: number;
    commissionsCount: number;
    payoutsCount: number;
  };

export type RecentCommission = Pick<
  Attributes<Commission>,
  'id' | 'netMinor' | 'currency' | 'sourceType' | 'status' | 'createdAt'
>;

export type RecentPayout = Pick<
  Attributes<Payout>,
  'id' | 'amountMinor' | 'currency' | 'status' | 'createdAt'
>;

/** The balance of the partner `p` in an account, in the currency `$2`. */
export const PARTNER_BALANCE = (account: 'partner_available' | 'partner_pending'): string =>
  `coalesce((SELECT b.balance_minor FROM ledger_balances b
     WHERE b.user_id = p.user_id AND b.account = '${account}' AND b.currency = $2), 0)`;

/** The amount that was paid out to the partner `p`, in the currency `$2`. */
export const WITHDRAWN = `(SELECT coalesce(sum(o.amount_minor), 0)::bigint FROM payouts o
  WHERE o.partner_id = p.id AND o.status = 'COMPLETED' AND o.currency = $2)`;

/** The partners directly below the partner `p`, as the engine counted them. */
export const DIRECT_REFERRALS = `coalesce((SELECT l.partners FROM partner_levels l
  WHERE l.partner_id = p.id AND l.level = 1), 0)`;

/** Customers whom the partner `p` brought directly, with an order that was paid within 90 days (decisions §8). */
export const ACTIVE_REFERRALS = `(SELECT count(*)::int FROM users c WHERE c.sponsor_id = p.id AND EXISTS (
  SELECT 1 FROM orders o WHERE o.user_id = c.id AND o.paid_at >= now() - interval '90 days'))`;

/** One partner, by its own id or by its user's; null if there is none. */
export const partnerDetail = (
  db: Db,
  by: { partnerId: string } | { userId: string },
  currency: string,
): Promise<PartnerDetail | null> =>
  firstRow<PartnerDetail>(
    db,
    `SELECT p.id, p.user_id, p.number, p.referral_code, p.status, p.joined_at, p.activated_at,
            u.email, u.phone, u.status AS user_status, u.first_name || ' ' || u.last_name AS name,
            u.payout_method, u.payout_masked, u.payout_changed_at,
            s.rank_level, s.highest_rank_level, s.highest_rank_at, s.network_size, s.network_depth, s.group_points,
            s.earned_minor, r.name AS rank_name, r.code AS rank_code,
            h.name AS highest_rank_name, h.code AS highest_rank_code,
            (SELECT json_build_object('id', sp.id, 'referralCode', sp.referral_code,
                'firstName', su.first_name, 'lastName', su.last_name)
               FROM partners sp JOIN users su ON su.id = sp.user_id WHERE sp.id = p.sponsor_id) AS sponsor,
            ${PARTNER_BALANCE('partner_available')} AS available_minor,
            ${PARTNER_BALANCE('partner_pending')} AS pending_minor, ${WITHDRAWN} AS withdrawn_minor,
            coalesce((SELECT m.group_points FROM partner_months m WHERE m.partner_id = p.id
               AND m.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0) AS period_points,
            ${DIRECT_REFERRALS} AS direct_referrals,
            ${ACTIVE_REFERRALS} AS active_referrals,
            (SELECT count(*)::int FROM partner_commissions c WHERE c.partner_id = p.id) AS commissions_count,
            (SELECT count(*)::int FROM payouts o WHERE o.partner_id = p.id) AS payouts_count
       FROM partners p JOIN users u ON u.id = p.user_id JOIN partner_standings s ON s.partner_id = p.id
       ${joinRank('r', 's.rank_level')} ${joinRank('h', 's.highest_rank_level')}
      WHERE p.${'partnerId' in by ? 'id' : 'user_id'} = $1`,
    ['partnerId' in by ? by.partnerId : by.userId, currency],
  );

/** The newest commissions of a partner, newest first. */
export const recentCommissions = (db: Db, partnerId: string, limit: number): Promise<RecentCommission[]> =>
  rows<RecentCommission>(
    db,
    `SELECT id, net_minor, currency, source_type, status, created_at FROM partner_commissions
      WHERE partner_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
    [partnerId, limit],
  );

/** The newest payouts of a partner, newest first. */
export const recentPayouts = (db: Db, partnerId: string, limit: number): Promise<RecentPayout[]> =>
  table(db, Payout).all(
    ['id', 'amountMinor', 'currency', 'status', 'createdAt'],
    { partnerId },
    {
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
      limit,
    },
  );
