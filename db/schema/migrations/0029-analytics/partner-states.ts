/**
 * Every change of a partner's status or rank, with both as they were and are. The partner's standing is locked by all
 * who change a rank, and here by the one who changes a status, so that each row begins where the one before it ends.
 */
export const PARTNER_STATES = `
  CREATE TABLE partner_state_changes (
    -- The order of a partner's changes: who makes one holds the lock of its standing.
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    partner_id uuid NOT NULL,
    changed_at timestamptz NOT NULL,
    -- Null for one that joins.
    from_status text,
    from_level smallint,
    to_status text NOT NULL,
    to_level smallint NOT NULL
  );
  CREATE INDEX partner_state_changes_partner_idx ON partner_state_changes (partner_id, id);

  CREATE FUNCTION keep_partner_status() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO partner_state_changes (partner_id, changed_at, to_status, to_level)
      VALUES (NEW.id, NEW.joined_at, NEW.status, 1);
    ELSE
      INSERT INTO partner_state_changes (partner_id, changed_at, from_status, from_level, to_status, to_level)
      SELECT NEW.id, coalesce(NEW.status_changed_at, now()), OLD.status, s.rank_level, NEW.status, s.rank_level
        FROM (SELECT rank_level FROM partner_standings WHERE partner_id = NEW.id FOR NO KEY UPDATE) AS s;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER partners_keep_status AFTER INSERT OR UPDATE OF status ON partners
    FOR EACH ROW EXECUTE FUNCTION keep_partner_status();

  CREATE FUNCTION keep_partner_rank() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO partner_state_changes (partner_id, changed_at, from_status, from_level, to_status, to_level)
    SELECT NEW.partner_id, NEW.changed_at, to_status, NEW.from_level, to_status, NEW.to_level
      FROM partner_state_changes WHERE partner_id = NEW.partner_id ORDER BY id DESC LIMIT 1;
    RETURN NULL;
  END $$;
  CREATE TRIGGER partner_rank_changes_keep AFTER INSERT ON partner_rank_changes
    FOR EACH ROW EXECUTE FUNCTION keep_partner_rank();
`;
