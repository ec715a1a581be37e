import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import type { PartnerLinkDay } from './partner-link-day.model';
import { PartnerLink } from './partner-link.model';

/** A link with what it has brought. */
export type CountedLink = Attributes<PartnerLink> & LinkFigures;

export interface LinkFigures {
  clicks: number;
  /** Accounts that were opened by it. */
  registrations: number;
  /** Of these, the accounts that have paid for an order. */
  conversions: number;
}

export type LinkDay = LinkFigures & { date: Attributes<PartnerLinkDay>['day'] };

/** The links of a partner, newest first; one, if its id is given. */
export const countedLinks = (
  db: Db,
  partnerId: string,
  linkId: string | null = null,
): Promise<CountedLink[]> =>
  rows<CountedLink>(
    db,
    `SELECT l.*,
            (SELECT count(*)::int FROM referral_touches t
              WHERE t.partner_link_id = l.id AND t.converted_user_id IS NOT NULL) AS registrations,
            (SELECT count(*)::int FROM referral_touches t
              WHERE t.partner_link_id = l.id AND t.first_sale_at IS NOT NULL) AS conversions,
            (SELECT coalesce(sum(d.clicks), 0)::int FROM partner_link_days d WHERE d.link_id = l.id)
              + (SELECT count(*)::int FROM partner_link_clicks c WHERE c.link_id = l.id) AS clicks
       FROM partner_links l
      WHERE l.partner_id = $1 AND ($2::uuid IS NULL OR l.id = $2::uuid)
      ORDER BY l.created_at DESC, l.id DESC`,
    [partnerId, linkId],
  );

export const countLinks = (db: Db, partnerId: string): Promise<number> =>
  table(db, PartnerLink).count({ partnerId });

/** A link of the partner; null if it has no such link. */
export const linkOf = (
  db: Db,
  partnerId: string,
  id: string,
): Promise<Pick<Attributes<PartnerLink>, 'id' | 'name'> | null> =>
  table(db, PartnerLink).one(['id', 'name'], { id, partnerId });

/**
 * The days of a period (UTC, both inclusive) with what a link brought on each, in one snapshot, so that a click is in its
 * day once while clicks are counted by day. A conversion is on the day of the account's first paid order.
 */
export const linkDays = (db: Db, linkId: string, from: string, to: string): Promise<LinkDay[]> =>
  rows<LinkDay>(
    db,
    `WITH found AS (
       SELECT day, clicks, 0 AS registrations, 0 AS conversions FROM partner_link_days
        WHERE link_id = $1 AND day BETWEEN $2::date AND $3::date
       UNION ALL
       SELECT ${DAY_OF('clicked_at')}, 1, 0, 0 FROM partner_link_clicks
        WHERE link_id = $1 AND ${WITHIN('clicked_at')}
       UNION ALL
       SELECT ${DAY_OF('converted_at')}, 0, 1, 0 FROM referral_touches
        WHERE partner_link_id = $1 AND converted_user_id IS NOT NULL AND ${WITHIN('converted_at')}
       UNION ALL
       SELECT ${DAY_OF('first_sale_at')}, 0, 0, 1 FROM referral_touches
        WHERE partner_link_id = $1 AND first_sale_at IS NOT NULL AND ${WITHIN('first_sale_at')}
     )
     SELECT d.day::date::text AS date, coalesce(sum(f.clicks), 0)::int AS clicks,
            coalesce(sum(f.registrations), 0)::int AS registrations, coalesce(sum(f.conversions), 0)::int AS conversions
       FROM generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') AS d (day)
         LEFT JOIN found f ON f.day = d.day::date
      GROUP BY d.day ORDER BY d.day`,
    [linkId, from, to],
  );

const DAY_OF = (at: string): string => `(${at} AT TIME ZONE 'UTC')::date`;
const WITHIN = (at: string): string =>
  `${at} >= $2::date::timestamp AT TIME ZONE 'UTC' AND ${at} < ($3::date + 1)::timestamp AT TIME ZONE 'UTC'`;

/** The status of a partner, whose row stays locked against other links until the transaction ends. */
export const lockForLinks = (db: Db, partnerId: string): Promise<{ status: string } | null> =>
  firstRow<{ status: string }>(db, 'SELECT status FROM partners WHERE id = $1 FOR NO KEY UPDATE', [
    partnerId,
  ]);
