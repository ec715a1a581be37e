import type { Attributes } from 'sequelize';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import type { PartnerLinkClick } from './partner-link-click.model';
import type { PartnerLink } from './partner-link.model';

/** Adds a link; false if its code is taken. */
export async function insertLink(tx: Tx, link: Attributes<PartnerLink>): Promise<boolean> {
  const { id, partnerId, code, name, campaign, landingPath, createdAt } = link;
  const added = await firstRow(
    tx,
    `INSERT INTO partner_links (id, partner_id, code, name, campaign, landing_path, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (code) DO NOTHING RETURNING id`,
    [id, partnerId, code, name, campaign, landingPath, createdAt],
  );
  return added !== null;
}

/** A recorded visitor by a partner's link. */
export interface Click {
  /** The visitor, by the recorded touch. */
  touchId: Attributes<PartnerLinkClick>['touchId'];
  /** The partner's code, upper case. */
  code: string;
  /** The link's code, upper case. */
  link: string;
  at: Date;
}

/**
 * Counts a click of the partner's link. Not counted: a repetition by the same visitor, a link of somebody else, and more
 * than `perMinute` clicks of one link, so that nobody can fill the table.
 */
export const countClick = (
  db: Db,
  { touchId, code, link, at }: Click,
  { repeatMinutes, perMinute }: { repeatMinutes: number; perMinute: number },
): Promise<number> =>
  execute(
    db,
    `INSERT INTO partner_link_clicks (link_id, touch_id, clicked_at, repeated_until)
     SELECT l.id, $1, $4, $4::timestamptz + make_interval(mins => $5::int)
       FROM partner_links l JOIN partners p ON p.id = l.partner_id
      WHERE l.code = $3 AND p.referral_code = $2
        AND (SELECT count(*) FROM (SELECT FROM partner_link_clicks c
              WHERE c.link_id = l.id AND c.clicked_at > $4::timestamptz - interval '1 minute' LIMIT $6) latest) < $6
     ON CONFLICT DO NOTHING`,
    [touchId, code, link, at, repeatMinutes, perMinute],
  );

/**
 * Counts one batch of clicks by day and deletes them, in one statement: a reader sees each once, and one that is
 * interrupted has done nothing. Clicks that still refuse a repetition stay. Returns the number of clicks.
 */
export async function countByDay(db: Db, before: Date, batch: number): Promise<number> {
  const counted = await firstRow<{ clicks: number }>(
    db,
    `WITH gone AS (
       DELETE FROM partner_link_clicks WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM partner_link_clicks WHERE clicked_at < $1 AND repeated_until < $1
          LIMIT $2 FOR UPDATE SKIP LOCKED))
       RETURNING link_id, (clicked_at AT TIME ZONE 'UTC')::date AS day
     ), counted AS (
       INSERT INTO partner_link_days AS d (link_id, day, clicks)
       SELECT link_id, day, count(*) FROM gone GROUP BY link_id, day ORDER BY link_id, day
       ON CONFLICT (link_id, day) DO UPDATE SET clicks = d.clicks + excluded.clicks
     )
     SELECT count(*)::int AS clicks FROM gone`,
    [before, batch],
  );
  return counted?.clicks ?? 0;
}
