import type { QueryInterface } from 'sequelize';
import { DESCENDANTS } from './descendants';
import { ENTRANCES } from './entrances';
import { LINKS } from './links';
import { NETWORK } from './network';
import { PROGRAMME } from './programme';

/** The partner programme: its rates and ranks, the network of partners, their links, and their entrance fees. */
export async function up(query: QueryInterface): Promise<void> {
  for (const part of [PROGRAMME, NETWORK, DESCENDANTS, LINKS, ENTRANCES]) await query.sequelize.query(part);
}

/** The money of entrances stays booked; the rows that explain it are gone. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    UPDATE users SET sponsor_id = NULL WHERE sponsor_id IS NOT NULL;
    ALTER TABLE users DROP CONSTRAINT users_sponsor_fkey;
    DROP TABLE partner_entrances, referral_touches, partner_link_days, partner_link_clicks, partner_links,
      partner_descendants, partner_months, partner_levels, partner_standings, partners, partner_ranks,
      partner_programmes;
    DROP SEQUENCE partner_entrance_numbers;
    DROP FUNCTION list_partner_descendants(), open_partner_standing(), place_partner(),
      partner_programme_is_fixed();
    DROP EXTENSION btree_gist, ltree;
    DELETE FROM domain_events WHERE type IN ('partner.joined', 'partner.activated', 'partner.ranked', 'entrance.paid');
  `);
}
