/** The rates and ranks of the partner programme by version; a version never changes. */
export const PROGRAMME = `
  CREATE TABLE partner_programmes (
    version integer PRIMARY KEY,
    valid_from timestamptz NOT NULL CONSTRAINT partner_programmes_valid_from_key UNIQUE,
    personal_sale_bp integer NOT NULL,
    repeat_sale_bp integer NOT NULL,
    client_profit_bp integer NOT NULL,
    entrance_level1_bp integer NOT NULL,
    entrance_level2_bp integer NOT NULL,
    entrance_level3_bp integer NOT NULL,
    withholding_bp integer NOT NULL,
    pool_weekly_bp integer NOT NULL,
    pool_monthly_bp integer NOT NULL,
    pool_weekly_volume_minor bigint NOT NULL,
    pool_monthly_volume_minor bigint NOT NULL,
    CONSTRAINT partner_programmes_version_check CHECK (version > 0),
    CONSTRAINT partner_programmes_rates_check CHECK (
      least(personal_sale_bp, repeat_sale_bp, client_profit_bp, entrance_level1_bp, entrance_level2_bp,
        entrance_level3_bp, withholding_bp, pool_weekly_bp, pool_monthly_bp) >= 0
      AND greatest(personal_sale_bp, repeat_sale_bp, client_profit_bp, withholding_bp, pool_weekly_bp, pool_monthly_bp,
        entrance_level1_bp + entrance_level2_bp + entrance_level3_bp) <= 10000),
    CONSTRAINT partner_programmes_volume_check CHECK (least(pool_weekly_volume_minor, pool_monthly_volume_minor) >= 0)
  );

  CREATE TABLE partner_ranks (
    programme_version integer NOT NULL
      CONSTRAINT partner_ranks_programme_fkey REFERENCES partner_programmes (version),
    level smallint NOT NULL CONSTRAINT partner_ranks_level_check CHECK (level BETWEEN 1 AND 20),
    code text NOT NULL CONSTRAINT partner_ranks_code_check CHECK (code ~ '^[A-Z_]{2,32}$'),
    name text NOT NULL,
    team_rate_bp integer NOT NULL CONSTRAINT partner_ranks_team_rate_check CHECK (team_rate_bp BETWEEN 0 AND 10000),
    profit_rate_bp integer NOT NULL
      CONSTRAINT partner_ranks_profit_rate_check CHECK (profit_rate_bp BETWEEN 0 AND 10000),
    -- In hundredths of a point.
    personal_points bigint NOT NULL CONSTRAINT partner_ranks_personal_check CHECK (personal_points >= 0),
    group_points bigint NOT NULL CONSTRAINT partner_ranks_group_check CHECK (group_points >= 0),
    legs integer NOT NULL,
    leg_level smallint,
    bonus_minor bigint NOT NULL CONSTRAINT partner_ranks_bonus_check CHECK (bonus_minor >= 0),
    pool_weight integer NOT NULL CONSTRAINT partner_ranks_pool_weight_check CHECK (pool_weight >= 0),
    CONSTRAINT partner_ranks_pkey PRIMARY KEY (programme_version, level),
    CONSTRAINT partner_ranks_code_key UNIQUE (programme_version, code),
    CONSTRAINT partner_ranks_legs_check CHECK (legs >= 0 AND (legs = 0) = (leg_level IS NULL) AND leg_level < level)
  );

  INSERT INTO partner_programmes VALUES (1, '2020-01-01', 5000, 3000, 500, 2000, 700, 300, 0, 100, 200, 100000, 500000);
  INSERT INTO partner_ranks VALUES
    (1, 1, 'STARTER', 'Starter', 0, 0, 0, 0, 0, NULL, 0, 0),
    (1, 2, 'BUILDER', 'Builder', 1000, 100, 10000, 100000, 0, NULL, 5000, 0),
    (1, 3, 'LEADER', 'Leader', 2000, 200, 15000, 1000000, 2, 2, 25000, 1),
    (1, 4, 'DIRECTOR', 'Director', 3000, 300, 20000, 5000000, 3, 3, 100000, 2),
    (1, 5, 'EXECUTIVE', 'Executive', 4000, 400, 25000, 25000000, 3, 4, 500000, 3);

  CREATE FUNCTION partner_programme_is_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'A version of the partner programme does not change; add the next one.'
      USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER partner_programmes_fixed BEFORE UPDATE OR DELETE ON partner_programmes
    FOR EACH ROW EXECUTE FUNCTION partner_programme_is_fixed();
  CREATE TRIGGER partner_ranks_fixed BEFORE UPDATE OR DELETE ON partner_ranks
    FOR EACH ROW EXECUTE FUNCTION partner_programme_is_fixed();
`;
