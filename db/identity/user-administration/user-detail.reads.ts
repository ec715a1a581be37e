import type { Attributes } from 'sequelize';
import { joinRank } from '../../partners/programme/rank-join';
import { firstRow, rows, type Db } from '../../sql/query';
import type { TwoFactorMethod } from '../second-factor/second-factor.reads';
import type { User } from '../user/user.model';
import { SPENDING, type ListedUser } from './user-list.reads';

type DetailColumns =
  | 'middleName'
  | 'dateOfBirth'
  | 'language'
  | 'timezone'
  | 'emailVerifiedAt'
  | 'phoneVerifiedAt'
  | 'passwordChangedAt'
  | 'updatedAt';

/** A user as administrators see one, without the lists. Money is in minor units. */
export type UserDetail = Omit<ListedUser, 'isPartner'> &
  Pick<Attributes<User>, DetailColumns> & {
    twoFactorMethod: TwoFactorMethod | null;
    activeSessions: number;
    partner: PartnerOfUser | null;
  };

export interface PartnerOfUser {
  id: string;
  referralCode: string;
  status: 'ACTIVE' | 'SUSPENDED' | 'TERMINATED';
  sponsorId: string | null;
  sponsorName: string | null;
  /** In the platform's currency. */
  availableMinor: number;
  pendingMinor: number;
  /** The code of the rank. */
  rank: string;
  /** Commissions less what was taken back. */
  earnedMinor: number;
  /** The number of users whom this partner referred. */
  referralsCount: number;
}

export interface Activity {
  type: 'SIGN_IN' | 'ORDER' | 'INVESTMENT' | 'INVESTMENT_WITHDRAWAL' | 'KYC' | 'AUDIT';
  /** The number of an order or a participation, the name of an audited action or of an event of a verification, or the place of a sign-in; the API puts it into words. */
  subject: string;
  at: Date;
  /** The author of an audited change or of an event of a verification; null for the platform itself, and for anything else. */
  by: { id: string; email: string } | null;
}

/** One user, in one statement; null if there is none. */
export async function userDetail(db: Db, userId: string, currency: string): Promise<UserDetail | null> {
  return firstRow<UserDetail>(
    db,
    `SELECT u.id, u.email, u.phone, u.status, u.first_name, u.last_name,
            u.middle_name, u.date_of_birth::text AS date_of_birth, u.avatar_url,
            u.language, u.timezone, u.kyc_status, u.kyc_level, u.roles,
            u.email_verified_at, u.phone_verified_at,
            u.password_changed_at, u.last_login_at,
            u.created_at, u.updated_at,
            (SELECT f.method FROM second_factors f WHERE f.user_id = u.id AND f.enabled_at IS NOT NULL)
              AS two_factor_method,
            (SELECT count(*)::int FROM sessions s
              WHERE s.user_id = u.id AND s.revoked_at IS NULL AND s.expires_at > now()) AS active_sessions,
            spending.orders_count, spending.total_spent_minor,
            investing.investments_count, investing.total_invested_minor,
            (SELECT json_build_object('id', p.id, 'referralCode', p.referral_code, 'status', p.status,
                'sponsorId', p.sponsor_id, 'sponsorName', s.first_name || ' ' || s.last_name,
                'availableMinor', ${BALANCE('partner_available')}, 'pendingMinor', ${BALANCE('partner_pending')},
                'rank', pr.code, 'earnedMinor', ps.earned_minor,
                'referralsCount', (SELECT count(*) FROM users r WHERE r.sponsor_id = p.id))
               FROM partners p JOIN partner_standings ps ON ps.partner_id = p.id ${joinRank('pr', 'ps.rank_level')}
                 LEFT JOIN partners sp ON sp.id = p.sponsor_id LEFT JOIN users s ON s.id = sp.user_id
              WHERE p.user_id = u.id) AS partner
       FROM users u, ${SPENDING} WHERE u.id = $1`,
    [userId, currency],
  );
}

const BALANCE = (account: string): string => `coalesce((SELECT b.balance_minor FROM ledger_balances b
  WHERE b.user_id = u.id AND b.account = '${account}' AND b.currency = $2), 0)`;

/** The newest activity of a user, without the steps in which they prepare a verification, and audited changes of the user, newest first. */
export async function recentActivity(db: Db, userId: string, limit: number): Promise<Activity[]> {
  return rows<Activity>(
    db,
    `SELECT * FROM (
       (SELECT 'SIGN_IN' AS type, coalesce(concat_ws(', ', s.city, s.country), '') AS subject, s.created_at AS at,
          NULL::jsonb AS by
          FROM sessions s WHERE s.user_id = $1 ORDER BY s.created_at DESC LIMIT $2)
       UNION ALL
       (SELECT 'ORDER', o.number, o.created_at, NULL
          FROM orders o WHERE o.user_id = $1 ORDER BY o.created_at DESC LIMIT $2)
       UNION ALL
       (SELECT 'INVESTMENT', p.number, p.created_at, NULL
          FROM participations p WHERE p.user_id = $1 ORDER BY p.created_at DESC LIMIT $2)
       UNION ALL
       (SELECT 'INVESTMENT_WITHDRAWAL', p.number, w.created_at, NULL
          FROM investment_withdrawals w JOIN participations p ON p.id = w.participation_id
         WHERE w.user_id = $1 ORDER BY w.created_at DESC LIMIT $2)
       UNION ALL
       (SELECT 'KYC', h.action, h.at,
            CASE WHEN who.id IS NOT NULL THEN jsonb_build_object('id', who.id, 'email', who.email) END
          FROM kyc_verifications v JOIN kyc_history h ON h.kyc_id = v.id LEFT JOIN users who ON who.id = h.performed_by
         WHERE v.user_id = $1 AND h.action NOT IN ('CHANGED', 'DOCUMENT_UPLOADED', 'DOCUMENT_DELETED')
         ORDER BY h.at DESC LIMIT $2)
       UNION ALL
       (SELECT 'AUDIT', a.action, a.created_at,
            CASE WHEN who.id IS NOT NULL THEN jsonb_build_object('id', who.id, 'email', who.email) END
          FROM audit_records a LEFT JOIN users who ON who.id = a.actor_id
         WHERE a.entity_type = 'user' AND a.entity_id = $1::text
         ORDER BY a.sequence DESC LIMIT $2)
     ) AS activity ORDER BY at DESC, type, subject LIMIT $2`,
    [userId, limit],
  );
}
