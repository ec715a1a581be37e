/** Partners' links with their clicks, and the visitors whom a link brought, and whom they became. */
export const LINKS = `
  CREATE EXTENSION IF NOT EXISTS btree_gist;

  CREATE TABLE partner_links (
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
  CREATE INDEX partner_links_partner_idx ON partner_links (partner_id, created_at, id);

  -- Clicks that are not yet counted by day.
  CREATE TABLE partner_link_clicks (
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
  CREATE INDEX partner_link_clicks_time_idx ON partner_link_clicks (clicked_at);
  CREATE INDEX partner_link_clicks_link_idx ON partner_link_clicks (link_id, clicked_at);

  CREATE TABLE partner_link_days (
    link_id uuid NOT NULL CONSTRAINT partner_link_days_link_fkey REFERENCES partner_links (id),
    -- In UTC.
    day date NOT NULL,
    clicks integer NOT NULL CONSTRAINT partner_link_days_clicks_check CHECK (clicks > 0),
    CONSTRAINT partner_link_days_pkey PRIMARY KEY (link_id, day)
  );

  CREATE TABLE referral_touches (
    id uuid PRIMARY KEY,
    visitor text NOT NULL,
    partner_id uuid NOT NULL CONSTRAINT referral_touches_partner_fkey REFERENCES partners (id),
    partner_code text NOT NULL,
    first_partner_code text NOT NULL,
    first_touch_at timestamptz NOT NULL,
    last_touch_at timestamptz NOT NULL,
    first_utm_source text,
    first_utm_medium text,
    first_utm_campaign text,
    last_utm_source text,
    last_utm_medium text,
    last_utm_campaign text,
    landing_page text NOT NULL,
    ip_address text,
    user_agent text,
    converted_user_id uuid
      CONSTRAINT referral_touches_converted_user_key UNIQUE
      CONSTRAINT referral_touches_converted_user_fkey REFERENCES users (id) ON DELETE SET NULL,
    converted_at timestamptz,
    -- The link is of the partner of the touch.
    partner_link_id uuid,
    -- When the account that it opened first paid for something, of the sales that are counted.
    first_sale_at timestamptz,
    CONSTRAINT referral_touches_order_check CHECK (first_touch_at <= last_touch_at),
    CONSTRAINT referral_touches_converted_check CHECK (converted_at IS NOT NULL OR converted_user_id IS NULL),
    CONSTRAINT referral_touches_first_sale_check CHECK (first_sale_at IS NULL OR converted_at IS NOT NULL),
    CONSTRAINT referral_touches_partner_link_fkey FOREIGN KEY (partner_link_id, partner_id)
      REFERENCES partner_links (id, partner_id)
  );
  CREATE UNIQUE INDEX referral_touches_visitor_key ON referral_touches (visitor) WHERE converted_at IS NULL;
  CREATE INDEX referral_touches_partner_idx ON referral_touches (partner_id, first_touch_at);
  CREATE INDEX referral_touches_partner_link_idx ON referral_touches (partner_link_id, converted_at)
    WHERE converted_user_id IS NOT NULL;
  CREATE INDEX referral_touches_first_sale_idx ON referral_touches (partner_link_id, first_sale_at)
    WHERE first_sale_at IS NOT NULL;
`;
