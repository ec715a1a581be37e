import type { Attributes } from 'sequelize';
import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import type { ReferralTouch } from './referral-touch.model';

/** The UTM parameters of a link. */
export interface Utm {
  source: string | null;
  medium: string | null;
  campaign: string | null;
}

/** A request by a partner's link. */
export interface Touch {
  /** The id of the touch in the visitor's cookie, if any. */
  linkId: string | null;
  /** Upper case. */
  code: string;
  /** The code of one of the partner's links, upper case; null, like one of somebody else, for the partner's code alone. */
  link: string | null;
  utm: Utm;
  landingPage: string;
  ipAddress: string;
  userAgent: string | null;
  at: Date;
}

export type RecordedTouch = Pick<Attributes<ReferralTouch>, 'id' | 'firstTouchAt'>;

/**
 * Records a touch of an active partner's link; null, with nothing written, for any other code. A visitor with the cookie
 * keeps the first touch for `referralDays`, as long as the cookies live. Chosen: the last
 * link wins, and the first is stored. Without a cookie, requests of one day, address, browser and code are one visitor, so
 * that programs without cookies do not fill the table. Who has the cookie and comes by another partner is no longer such a visitor,
 * so that nobody else is given that cookie.
 */
export async function recordTouch(db: Db, touch: Touch, referralDays: number): Promise<RecordedTouch | null> {
  const continued = touch.linkId === null ? null : await continueTouch(db, touch.linkId, touch, referralDays);
  return continued ?? addTouch(db, touch);
}

async function continueTouch(
  db: Db,
  linkId: string,
  { code, link, utm, at }: Touch,
  referralDays: number,
): Promise<RecordedTouch | null> {
  return firstRow<RecordedTouch>(
    db,
    `UPDATE referral_touches t
       SET partner_link_id = coalesce(${LINK('$8')}, CASE WHEN t.partner_id = p.id THEN t.partner_link_id END),
           visitor = CASE WHEN t.partner_id = p.id THEN t.visitor ELSE t.id::text END,
           partner_id = p.id, partner_code = p.referral_code, last_touch_at = greatest(t.last_touch_at, $3),
           last_utm_source = $4, last_utm_medium = $5, last_utm_campaign = $6
       FROM partners p
       WHERE p.referral_code = $2 AND p.status = 'ACTIVE' AND t.id = $1 AND t.converted_at IS NULL
         AND t.last_touch_at > $3::timestamptz - make_interval(days => $7::int)
       RETURNING t.id, t.first_touch_at`,
    [linkId, code, at, utm.source, utm.medium, utm.campaign, referralDays, link],
  );
}

/** The id of a link of the partner `p` by its code; null if the partner has no such link. */
const LINK = (code: string): string =>
  `(SELECT l.id FROM partner_links l WHERE l.code = ${code}::text AND l.partner_id = p.id)`;

async function addTouch(db: Db, touch: Touch): Promise<RecordedTouch | null> {
  const { code, link, utm, landingPage, ipAddress, userAgent, at } = touch;
  return firstRow<RecordedTouch>(
    db,
    `INSERT INTO referral_touches AS t (id, visitor, partner_id, partner_code, first_partner_code,
         first_touch_at, last_touch_at, first_utm_source, first_utm_medium, first_utm_campaign,
         last_utm_source, last_utm_medium, last_utm_campaign, landing_page, ip_address, user_agent, partner_link_id)
       SELECT $1, $2, p.id, p.referral_code, p.referral_code, $4, $4, $5, $6, $7, $5, $6, $7, $8, $9, $10, ${LINK('$11')}
         FROM partners p WHERE p.referral_code = $3 AND p.status = 'ACTIVE'
       ON CONFLICT (visitor) WHERE converted_at IS NULL DO UPDATE
         SET last_touch_at = greatest(t.last_touch_at, excluded.last_touch_at),
             last_utm_source = excluded.last_utm_source, last_utm_medium = excluded.last_utm_medium,
             last_utm_campaign = excluded.last_utm_campaign,
             partner_link_id = coalesce(excluded.partner_link_id, t.partner_link_id)
       RETURNING t.id, t.first_touch_at`,
    [
      ...[v7(), visitorOf(touch), code, at, utm.source, utm.medium, utm.campaign],
      ...[landingPage, ipAddress, userAgent, link],
    ],
  );
}

/** The identity of a visitor without a cookie. */
const visitorOf = ({ at, ipAddress, userAgent, code }: Touch): string =>
  createHash('sha256')
    .update(JSON.stringify([at.toISOString().slice(0, 10), ipAddress, userAgent, code]))
    .digest('base64url');

/**
 * Links a touch to the account that its visitor opened, which has been added with its sponsor. No-op if the sponsor is
 * not the touch's partner, if there is no such touch, or if the account has one. If another person of the same browser
 * has converted the touch, the account gets a copy of it.
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
         partner_link_id, converted_user_id, converted_at)
       SELECT $4, visitor, t.partner_id, partner_code, first_partner_code,
              first_touch_at, last_touch_at, first_utm_source, first_utm_medium, first_utm_campaign,
              last_utm_source, last_utm_medium, last_utm_campaign, landing_page, ip_address, t.user_agent,
              t.partner_link_id, u.id, $3
         FROM referral_touches t JOIN users u ON u.id = $2 AND u.sponsor_id = t.partner_id
         WHERE t.id = $1
       ON CONFLICT (converted_user_id) DO NOTHING`,
    [touchId, userId, at, v7()],
  );
}

/** Records the time of a counted order with the touch by which its buyer registered, if it is the earliest up to now. */
export const keepFirstOrder = (tx: Tx, buyerId: string, at: Date): Promise<number> =>
  execute(
    tx,
    `UPDATE referral_touches SET first_sale_at = $2
     WHERE converted_user_id = $1 AND (first_sale_at IS NULL OR first_sale_at > $2)`,
    [buyerId, at],
  );
