import { firstRow, rows, type Db } from '../../sql/query';

/** One sign-in, also one that is over. */
export interface KeptSession {
  id: string;
  userAgent: string | null;
  ipAddress: string;
  deviceFingerprint: string | null;
  country: string | null;
  city: string | null;
  createdAt: Date;
  lastActiveAt: Date;
  endedAt: Date | null;
}

/** UTM parameters. */
interface Campaign {
  source: string | null;
  medium: string | null;
  campaign: string | null;
}

/** What a person agreed to, who brought them and how, and whom else they sign in through. */
export interface KeptOrigins {
  emailVerifiedAt: Date | null;
  phoneVerifiedAt: Date | null;
  termsAcceptedAt: Date | null;
  acceptedMarketing: boolean;
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
}

/** Every sign-in that is still kept, newest first. */
export function keptSessions(db: Db, userId: string): Promise<KeptSession[]> {
  return rows<KeptSession>(
    db,
    `SELECT id, user_agent, ip_address, device_fingerprint,
            country, city, created_at, last_active_at, revoked_at AS ended_at
       FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC`,
    [userId],
  );
}

/** Null when the account is gone. */
export function keptOrigins(db: Db, userId: string): Promise<KeptOrigins | null> {
  return firstRow<KeptOrigins>(
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
