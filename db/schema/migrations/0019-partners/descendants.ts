/**
 * The lists of who is below whom. A partner's place never changes, so a list is only added to: ten rows at most by a
 * partner who joins, and nobody waits for the row of another.
 */
export const DESCENDANTS = `
  -- The partners up to ten levels below each, in the order in which they are listed.
  CREATE TABLE partner_descendants (
    ancestor_number bigint NOT NULL,
    level smallint NOT NULL CONSTRAINT partner_descendants_level_check CHECK (level BETWEEN 1 AND 10),
    joined_at timestamptz NOT NULL,
    partner_id uuid NOT NULL,
    CONSTRAINT partner_descendants_pkey PRIMARY KEY (ancestor_number, level, joined_at, partner_id)
  );

  CREATE FUNCTION list_partner_descendants() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO partner_descendants (ancestor_number, level, joined_at, partner_id)
    SELECT labels[cardinality(labels) - level]::bigint, level, j.joined_at, j.id
      FROM joined j CROSS JOIN LATERAL (SELECT string_to_array(ltree2text(j.path), '.') AS labels) above
        CROSS JOIN LATERAL generate_series(1, least(10, cardinality(labels) - 1)) AS level;
    RETURN NULL;
  END $$;
  CREATE TRIGGER partners_list_descendants AFTER INSERT ON partners REFERENCING NEW TABLE AS joined
    FOR EACH STATEMENT EXECUTE FUNCTION list_partner_descendants();
`;
