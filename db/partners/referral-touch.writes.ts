import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { execute, firstRow, type Db, type Tx } from '../sql/query';

/** Where a link was put, as its owner says. */
export interface Utm {
  source: string | null;
  medium: string | null;
  campaign: string | null;
}

/** Somebody came by a partner's link. */
export interface Touch {
  /** The touch that the visitor's cookie names, if any. */
  linkId: string | null;
  /** Upper case. */
  code: string;
  utm: Utm;
  landingPage: string;
  ipAddress: string;
  userAgent: string | null;
  at: Date;
}

export interface RecordedTouch {
  id: string;
  firstTouchAt: Date;
}

/**
 * Records that a visitor came by an active partner's link; null, and nothing written, for any other code. A visitor
 * known by the cookie keeps the first touch. Chosen: of several partners' links the last one counts, and the first is
 * remembered; and a visitor without the cookie is one per day, address, browser and code, so that a program which
 * keeps no cookies fills no table. A touch that nothing came of may be gone on with for `referralDays`, as long as
 * the cookies live.
 */
export async function recordTouch(db: Db, touch: Touch, referralDays: number): Promise<RecordedTouch | null> {
  const again = touch.linkId === null ? null : await touchAgain(db, touch.linkId, touch, referralDays);
  return again ?? firstTouch(db, touch);
}

async function touchAgain(
  db: Db,
  linkId: string,
  { code, utm, at }: Touch,
  referralDays: number,
): Promise<RecordedTouch | null> {
  return firstRow<RecordedTouch>(
    db,
    `UPDATE referral_touches t
       SET partner_id = p.id, partner_code = p.referral_code, last_touch_at = greatest(t.last_touch_at, $3),
           last_utm_source = $4, last_utm_medium = $5, last_utm_campaign = $6
       FROM partners p
       WHERE p.referral_code = $2 AND p.status = 'ACTIVE' AND t.id = $1 AND t.converted_at IS NULL
         AND t.last_touch_at > $3::timestamptz - make_interval(days => $7::int)
       RETURNING t.id, t.first_touch_at`,
    [linkId, code, at, utm.source, utm.medium, utm.campaign, referralDays],
  );
}

async function firstTouch(db: Db, touch: Touch): Promise<RecordedTouch | null> {
  const { code, utm, landingPage, ipAddress, userAgent, at } = touch;
  return firstRow<RecordedTouch>(
    db,
    `INSERT INTO referral_touches AS t (id, visitor, partner_id, partner_code, first_partner_code,
         first_touch_at, last_touch_at, first_utm_source, first_utm_medium, first_utm_campaign,
         last_utm_source, last_utm_medium, last_utm_campaign, landing_page, ip_address, user_agent)
       SELECT $1, $2, p.id, p.referral_code, p.referral_code, $4, $4, $5, $6, $7, $5, $6, $7, $8, $9, $10
         FROM partners p WHERE p.referral_code = $3 AND p.status = 'ACTIVE'
       ON CONFLICT (visitor) WHERE converted_at IS NULL DO UPDATE
         SET last_touch_at = greatest(t.last_touch_at, excluded.last_touch_at),
             last_utm_source = excluded.last_utm_source, last_utm_medium = excluded.last_utm_medium,
             last_utm_campaign = excluded.last_utm_campaign
       RETURNING t.id, t.first_touch_at`,
    [
      ...[v7(), visitorOf(touch), code, at, utm.source, utm.medium, utm.campaign],
      ...[landingPage, ipAddress, userAgent],
    ],
  );
}

/**
 * What tells visitors without a cookie apart.
 */
const visitorOf = ({ at, ipAddress, userAgent, code }: Touch): string =>
  createHash('sha256')
    .update(JSON.stringify([at.toISOString().slice(0, 10), ipAddress, userAgent, code]))
    .digest('base64url');

/**
 * The visitor of a touch opened an account, whose row is there by now with its sponsor. Nothing happens if the sponsor
 * is not the touch's partner, if there is no such touch, or if the account has one. Two people may have come through
 * one browser: the second gets a touch of their own, with the same story.
 */
export async function convertTouch(tx: Tx, touchId: string, userId: string, at: Date): Promise<void> {
  const converted = await execute(
    tx,
    `UPDATE referral_touches t SET converted_user_id = u.id, converted_at = $3
       FROM users u
       WHERE t.id = $1 AND t.converted_at IS NULL AND u.id = $2 AND u.sponsor_id = t.partner_id
         AND NOT EXISTS (SELECT FROM referral_touches o WHERE o.converted_user_id = u.id)`,
    [touchId, userId, at],
  );
  if (converted > 0) return;
  await execute(
    tx,
    `INSERT INTO referral_touches (id, visitor, partner_id, partner_code, first_partner_code,
         first_touch_at, last_touch_at, first_utm_source, first_utm_medium, first_utm_campaign,
         last_utm_source, last_utm_medium, last_utm_campaign, landing_page, ip_address, user_agent,
         converted_user_id, converted_at)
       SELECT $4, visitor, t.partner_id, partner_code, first_partner_code,
              first_touch_at, last_touch_at, first_utm_source, first_utm_medium, first_utm_campaign,
              last_utm_source, last_utm_medium, last_utm_campaign, landing_page, ip_address, t.user_agent, u.id, $3
         FROM referral_touches t JOIN users u ON u.id = $2 AND u.sponsor_id = t.partner_id
         WHERE t.id = $1
       ON CONFLICT (converted_user_id) DO NOTHING`,
    [touchId, userId, at, v7()],
  );
}
