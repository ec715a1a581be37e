import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { Session } from '../session/session.model';
import type { User } from '../user/user.model';

const SESSION_COLUMNS = [
  'id',
  'userAgent',
  'ipAddress',
  'deviceFingerprint',
  'country',
  'city',
  'createdAt',
  'lastActiveAt',
  'revokedAt',
] as const;

/** One session, live or ended. */
export type ExportedSession = Pick<Attributes<Session>, (typeof SESSION_COLUMNS)[number]>;

/** UTM parameters. */
interface Campaign {
  source: string | null;
  medium: string | null;
  campaign: string | null;
}

type Consents = Pick<
  Attributes<User>,
  'emailVerifiedAt' | 'phoneVerifiedAt' | 'termsAcceptedAt' | 'acceptedMarketing'
>;

/** The consents of a user, the referral that brought them, and the providers through which they sign in. */
export type ExportedOrigins = Consents & {
  sponsorCode: string | null;
  touch: {
    partnerCode: string;
    firstTouchAt: string;
    lastTouchAt: string;
    first: Campaign;
    last: Campaign;
    landingPage: string;
    ipAddress: string | null;
    userAgent: string | null;
  } | null;
  externalAccounts: string[];
};

/** Every session that is not yet removed, newest first. */
export const exportedSessions = (db: Db, userId: string): Promise<ExportedSession[]> =>
  table(db, Session).all(
    SESSION_COLUMNS,
    { userId },
    {
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
    },
  );

/** The origins of an account; null if it is gone. */
export function exportedOrigins(db: Db, userId: string): Promise<ExportedOrigins | null> {
  return firstRow<ExportedOrigins>(
    db,
    `SELECT u.email_verified_at, u.phone_verified_at,
            u.terms_accepted_at, u.accepted_marketing,
            (SELECT p.referral_code FROM partners p WHERE p.id = u.sponsor_id) AS sponsor_code,
            (SELECT json_build_object('partnerCode', t.partner_code, 'firstTouchAt', t.first_touch_at,
                'lastTouchAt', t.last_touch_at, 'first', json_build_object('source', t.first_utm_source,
                  'medium', t.first_utm_medium, 'campaign', t.first_utm_campaign),
                'last', json_build_object('source', t.last_utm_source, 'medium', t.last_utm_medium,
                  'campaign', t.last_utm_campaign),
                'landingPage', t.landing_page, 'ipAddress', t.ip_address,
                'userAgent', t.user_agent)
               FROM referral_touches t WHERE t.converted_user_id = u.id) AS touch,
            ARRAY(SELECT e.issuer FROM external_accounts e WHERE e.user_id = u.id ORDER BY 1) AS external_accounts
       FROM users u WHERE u.id = $1`,
    [userId],
  );
}
