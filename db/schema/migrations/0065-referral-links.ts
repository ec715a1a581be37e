import { QueryTypes, type QueryInterface } from 'sequelize';
import { inShortLocks } from './0053-payables';
import { buildIndex, dropIndex, type ConcurrentIndex } from './0054-payables-checked';

/**
 * Partners' links with their clicks, and the lists of who is below whom. A partner's place never changes, so a list is
 * only added to: ten rows at most by a partner who joins, and nobody waits for the row of another. Visitors come meanwhile,
 * whose touches grow with every visit.
 */
export async function up(query: QueryInterface): Promise<void> {
  await inShortLocks(query, LINKS);
  await inShortLocks(query, TOUCHES);
  // In a transaction of its own, after the one that locked the table.
  await query.sequelize.query(
    `ALTER TABLE referral_touches VALIDATE CONSTRAINT referral_touches_partner_link_fkey,
       VALIDATE CONSTRAINT referral_touches_first_sale_check`,
  );
  await renameVisitors(query);
  // The trigger first, so that who joins while the list is made is on it as well.
  await inShortLocks(query, NETWORKS);
  await query.sequelize.query(`${DESCENDANTS('partners')} ON CONFLICT DO NOTHING`);
  for (const index of INDEXES) await buildIndex(query, index);
}

const TOUCHES_AT_ONCE = 10_000;

/** Visitors who came by another partner since are found by their cookie alone. */
async function renameVisitors(query: QueryInterface): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const changed = await query.sequelize.query<{ id: string }>(
      `WITH found AS (SELECT id FROM referral_touches
          WHERE id > $1 AND partner_code <> first_partner_code AND converted_at IS NULL AND visitor <> id::text
          ORDER BY id LIMIT ${TOUCHES_AT_ONCE}),
        changed AS (UPDATE referral_touches t SET visitor = t.id::text FROM found
          WHERE t.id = found.id AND t.converted_at IS NULL)
       SELECT id FROM found ORDER BY id`,
      { type: QueryTypes.SELECT, bind: [after] },
    );
    const last = changed.at(-1);
    if (!last || changed.length < TOUCHES_AT_ONCE) return;
    after = last.id;
  }
}

const LINKS = `
  CREATE EXTENSION IF NOT EXISTS btree_gist;
  CREATE TABLE IF NOT EXISTS partner_links (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL CONSTRAINT partner_links_partner_fkey REFERENCES partners (id),
    code text NOT NULL CONSTRAINT partner_links_code_key UNIQUE
      CONSTRAINT partner_links_code_check CHECK (code ~ '^[A-Z0-9]{8}$'),
    name text NOT NULL CONSTRAINT partner_links_name_check CHECK (length(name) BETWEEN 1 AND 100),
    campaign text CONSTRAINT partner_links_campaign_check CHECK (length(campaign) BETWEEN 1 AND 100),
    landing_path text NOT NULL CONSTRAINT partner_links_landing_path_check CHECK (landing_path ~ '^/([^/]|$)'),
    created_at timestamptz NOT NULL,
    CONSTRAINT partner_links_owner_key UNIQUE (id, partner_id)
  );
  CREATE INDEX IF NOT EXISTS partner_links_partner_idx ON partner_links (partner_id, created_at, id);

  -- Clicks that are not yet counted by day.
  CREATE TABLE IF NOT EXISTS partner_link_clicks (
    link_id uuid NOT NULL CONSTRAINT partner_link_clicks_link_fkey REFERENCES partner_links (id),
    -- The visitor, by the recorded touch.
    touch_id uuid NOT NULL,
    clicked_at timestamptz NOT NULL,
    -- Until then the visitor's further clicks are repetitions.
    repeated_until timestamptz NOT NULL,
    CONSTRAINT partner_link_clicks_pkey PRIMARY KEY (link_id, touch_id, clicked_at),
    -- Decides also between two at once.
    CONSTRAINT partner_link_clicks_repeated EXCLUDE USING gist
      (link_id WITH =, touch_id WITH =, tstzrange(clicked_at, repeated_until) WITH &&)
  );
  CREATE INDEX IF NOT EXISTS partner_link_clicks_time_idx ON partner_link_clicks (clicked_at);
  CREATE INDEX IF NOT EXISTS partner_link_clicks_link_idx ON partner_link_clicks (link_id, clicked_at);

  CREATE TABLE IF NOT EXISTS partner_link_days (
    link_id uuid NOT NULL CONSTRAINT partner_link_days_link_fkey REFERENCES partner_links (id),
    -- In UTC.
    day date NOT NULL,
    clicks integer NOT NULL CONSTRAINT partner_link_days_clicks_check CHECK (clicks > 0),
    CONSTRAINT partner_link_days_pkey PRIMARY KEY (link_id, day)
  );
`;

const TOUCHES = `
  -- The link is of the partner of the touch.
  ALTER TABLE referral_touches ADD COLUMN IF NOT EXISTS partner_link_id uuid,
    -- When the account that it opened first paid for something, of the sales that are counted.
    ADD COLUMN IF NOT EXISTS first_sale_at timestamptz,
    DROP CONSTRAINT IF EXISTS referral_touches_first_sale_check,
    DROP CONSTRAINT IF EXISTS referral_touches_partner_link_fkey;
  ALTER TABLE referral_touches
    ADD CONSTRAINT referral_touches_first_sale_check CHECK (first_sale_at IS NULL OR converted_at IS NOT NULL) NOT VALID,
    ADD CONSTRAINT referral_touches_partner_link_fkey FOREIGN KEY (partner_link_id, partner_id)
      REFERENCES partner_links (id, partner_id) NOT VALID;
`;

const DESCENDANTS = (joined: string): string => `
  INSERT INTO partner_descendants (ancestor_number, level, joined_at, partner_id)
  SELECT labels[cardinality(labels) - level]::bigint, level, j.joined_at, j.id
    FROM ${joined} j CROSS JOIN LATERAL (SELECT string_to_array(ltree2text(j.path), '.') AS labels) above
      CROSS JOIN LATERAL generate_series(1, least(10, cardinality(labels) - 1)) AS level`;

const NETWORKS = `
  -- The partners up to ten levels below each, in the order in which they are listed.
  CREATE TABLE IF NOT EXISTS partner_descendants (
    ancestor_number bigint NOT NULL,
    level smallint NOT NULL CONSTRAINT partner_descendants_level_check CHECK (level BETWEEN 1 AND 10),
    joined_at timestamptz NOT NULL,
    partner_id uuid NOT NULL,
    CONSTRAINT partner_descendants_pkey PRIMARY KEY (ancestor_number, level, joined_at, partner_id)
  );
  CREATE OR REPLACE FUNCTION list_partner_descendants() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    ${DESCENDANTS('joined')};
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER partners_list_descendants AFTER INSERT ON partners REFERENCING NEW TABLE AS joined
    FOR EACH STATEMENT EXECUTE FUNCTION list_partner_descendants();
`;

const INDEXES: readonly ConcurrentIndex[] = [
  {
    name: 'referral_touches_partner_link_idx',
    on: 'referral_touches (partner_link_id, converted_at) WHERE converted_user_id IS NOT NULL',
  },
  {
    name: 'referral_touches_first_sale_idx',
    on: 'referral_touches (partner_link_id, first_sale_at) WHERE first_sale_at IS NOT NULL',
  },
  { name: 'partners_status_joined_idx', on: 'partners (status, joined_at, id)' },
  { name: 'partners_code_prefix_idx', on: 'partners (referral_code text_pattern_ops)' },
  {
    name: 'partner_commissions_paid_idx',
    on: `partner_commissions (partner_id) INCLUDE (net_minor) WHERE status = 'PAID'`,
  },
];

export async function down(query: QueryInterface): Promise<void> {
  for (const { name } of INDEXES) await dropIndex(query, name);
  await inShortLocks(query, 'DROP TRIGGER IF EXISTS partners_list_descendants ON partners');
  await inShortLocks(
    query,
    `ALTER TABLE referral_touches DROP CONSTRAINT IF EXISTS referral_touches_first_sale_check,
       DROP COLUMN IF EXISTS first_sale_at, DROP COLUMN IF EXISTS partner_link_id`,
  );
  await inShortLocks(
    query,
    `DROP FUNCTION IF EXISTS list_partner_descendants;
     DROP TABLE IF EXISTS partner_descendants, partner_link_days, partner_link_clicks, partner_links;
     DROP EXTENSION IF EXISTS btree_gist`,
  );
}
