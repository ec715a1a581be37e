/**
 * The tree of partners, and what is counted over it. A partner's place is fixed when it joins: the trigger derives the
 * path from the sponsor's and refuses any later change, so that no cycle can come to be. All that is counted over a
 * network stands in tables of its own, which the commission engine alone changes: a partner who joins does not wait for
 * the rows of everybody above.
 */
export const NETWORK = `
  CREATE EXTENSION IF NOT EXISTS ltree;

  CREATE TABLE partners (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL CONSTRAINT partners_user_key UNIQUE CONSTRAINT partners_user_fkey REFERENCES users (id),
    referral_code text NOT NULL
      CONSTRAINT partners_referral_code_key UNIQUE
      CONSTRAINT partners_referral_code_check CHECK (referral_code ~ '^[A-Z0-9]{4,32}$'),
    status text NOT NULL CONSTRAINT partners_status_check CHECK (status IN ('ACTIVE', 'SUSPENDED', 'TERMINATED')),
    sponsor_id uuid CONSTRAINT partners_sponsor_fkey REFERENCES partners (id),
    joined_at timestamptz NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT partners_number_key UNIQUE,
    -- The numbers of the partners above, from the top, and its own. Its length bounds the rows that one sale changes.
    path ltree NOT NULL CONSTRAINT partners_depth_check CHECK (nlevel(path) <= 500),
    activated_at timestamptz,
    status_changed_at timestamptz,
    CONSTRAINT partners_sponsor_check CHECK (sponsor_id <> id)
  );
  CREATE INDEX partners_sponsor_idx ON partners (sponsor_id, status);
  CREATE INDEX partners_joined_idx ON partners (joined_at, id);
  CREATE INDEX partners_status_joined_idx ON partners (status, joined_at, id);
  CREATE INDEX partners_code_prefix_idx ON partners (referral_code text_pattern_ops);
  ALTER TABLE users ADD CONSTRAINT users_sponsor_fkey FOREIGN KEY (sponsor_id) REFERENCES partners (id);

  CREATE FUNCTION place_partner() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      IF (NEW.sponsor_id, NEW.user_id, NEW.number, NEW.path) IS DISTINCT FROM
         (OLD.sponsor_id, OLD.user_id, OLD.number, OLD.path) THEN
        RAISE EXCEPTION 'The place of partner % is fixed.', OLD.id
          USING ERRCODE = 'check_violation', CONSTRAINT = 'partners_place_fixed';
      END IF;
    ELSIF NEW.sponsor_id IS NULL THEN
      NEW.path := NEW.number::text::ltree;
    ELSE
      SELECT path || NEW.number::text INTO NEW.path FROM partners WHERE id = NEW.sponsor_id;
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER partners_place BEFORE INSERT OR UPDATE ON partners
    FOR EACH ROW EXECUTE FUNCTION place_partner();

  -- A row comes with its partner. It is changed by the commission engine only, but for the rank, which an administrator may
  -- set.
  CREATE TABLE partner_standings (
    partner_id uuid PRIMARY KEY CONSTRAINT partner_standings_partner_fkey REFERENCES partners (id),
    sponsor_id uuid CONSTRAINT partner_standings_sponsor_fkey REFERENCES partners (id),
    rank_level smallint NOT NULL DEFAULT 1,
    -- An administrator's limit: above it no rank is reached by points.
    rank_limit smallint,
    highest_rank_level smallint NOT NULL DEFAULT 1,
    highest_rank_at timestamptz NOT NULL,
    -- The highest rank of the partner and all below.
    network_rank_level smallint NOT NULL DEFAULT 1,
    -- Without the partner.
    network_size integer NOT NULL DEFAULT 0,
    network_depth smallint NOT NULL DEFAULT 0,
    -- In hundredths of a point. Group points are those of the partner and all below.
    personal_points bigint NOT NULL DEFAULT 0,
    group_points bigint NOT NULL DEFAULT 0,
    personal_volume_minor bigint NOT NULL DEFAULT 0,
    group_volume_minor bigint NOT NULL DEFAULT 0,
    -- Commissions that are not reversed, less what was taken back.
    earned_minor bigint NOT NULL DEFAULT 0,
    -- When the partner was added to the counts of those above.
    counted_at timestamptz,
    CONSTRAINT partner_standings_rank_check CHECK (rank_level BETWEEN 1 AND 20 AND rank_limit BETWEEN 1 AND 20
      AND rank_level <= highest_rank_level AND highest_rank_level <= 20),
    CONSTRAINT partner_standings_network_rank_check CHECK (network_rank_level BETWEEN rank_level AND 20),
    CONSTRAINT partner_standings_size_check CHECK (network_size >= 0 AND network_depth BETWEEN 0 AND network_size)
  ) WITH (fillfactor = 80);
  CREATE INDEX partner_standings_legs_idx ON partner_standings (sponsor_id, group_points DESC);
  CREATE INDEX partner_standings_leg_ranks_idx ON partner_standings (sponsor_id, network_rank_level)
    WHERE network_rank_level > 1;
  CREATE INDEX partner_standings_rank_idx ON partner_standings (rank_level, partner_id) WHERE rank_level > 1;
  CREATE INDEX partner_standings_earned_idx ON partner_standings (earned_minor, partner_id);
  CREATE INDEX partner_standings_size_idx ON partner_standings (network_size, partner_id);

  CREATE FUNCTION open_partner_standing() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO partner_standings (partner_id, sponsor_id, highest_rank_at) VALUES (NEW.id, NEW.sponsor_id, NEW.joined_at);
    RETURN NULL;
  END $$;
  CREATE TRIGGER partners_open_standing AFTER INSERT ON partners
    FOR EACH ROW EXECUTE FUNCTION open_partner_standing();

  -- Of each partner, the partners so many levels below and what they sold.
  CREATE TABLE partner_levels (
    partner_id uuid NOT NULL CONSTRAINT partner_levels_partner_fkey REFERENCES partners (id),
    level smallint NOT NULL CONSTRAINT partner_levels_level_check CHECK (level BETWEEN 1 AND 500),
    partners integer NOT NULL CONSTRAINT partner_levels_partners_check CHECK (partners >= 0),
    volume_minor bigint NOT NULL,
    CONSTRAINT partner_levels_pkey PRIMARY KEY (partner_id, level)
  ) WITH (fillfactor = 80);

  -- The first day of a month in UTC.
  CREATE TABLE partner_months (
    partner_id uuid NOT NULL CONSTRAINT partner_months_partner_fkey REFERENCES partners (id),
    month date NOT NULL CONSTRAINT partner_months_month_check CHECK (extract(day FROM month) = 1),
    personal_points bigint NOT NULL,
    group_points bigint NOT NULL,
    personal_volume_minor bigint NOT NULL,
    group_volume_minor bigint NOT NULL,
    CONSTRAINT partner_months_pkey PRIMARY KEY (partner_id, month)
  ) WITH (fillfactor = 80);
`;
