import type { QueryInterface } from 'sequelize';
import { inShortLocks } from '../0053-payables';

const TABLE = `
  CREATE TABLE IF NOT EXISTS partner_state_changes (
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
  CREATE INDEX IF NOT EXISTS partner_state_changes_partner_idx ON partner_state_changes (partner_id, id);`;

/**
 * Every change of a partner's status or rank, with both as they were and are. The partner's standing is locked by all who
 * change a rank, and here by who changes a status, so that each row begins where the one before it ends.
 */
const FUNCTIONS = `
  CREATE OR REPLACE FUNCTION keep_partner_status() RETURNS trigger LANGUAGE plpgsql AS $$
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
  CREATE OR REPLACE FUNCTION keep_partner_rank() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO partner_state_changes (partner_id, changed_at, from_status, from_level, to_status, to_level)
    SELECT NEW.partner_id, NEW.changed_at, to_status, NEW.from_level, to_status, NEW.to_level
      FROM partner_state_changes WHERE partner_id = NEW.partner_id ORDER BY id DESC LIMIT 1;
    RETURN NULL;
  END $$;`;

/** Those before the table: they joined active, took their ranks, and the last change of their status is known. */
const EARLIER = `
  INSERT INTO partner_state_changes (partner_id, changed_at, from_status, from_level, to_status, to_level)
  SELECT partner_id, changed_at, lag(status) OVER changes, lag(level) OVER changes, status, level
    FROM (
      SELECT c.partner_id, c.changed_at, c.place, coalesce(max(c.level) OVER (PARTITION BY c.partner_id, c.known), 1) AS level,
             CASE WHEN c.is_after THEN c.status ELSE 'ACTIVE' END AS status
        FROM (
          SELECT f.*, count(f.level) OVER (PARTITION BY f.partner_id ORDER BY f.changed_at, f.place) AS known,
                 bool_or(f.place = 'infinity') OVER (PARTITION BY f.partner_id ORDER BY f.changed_at, f.place) AS is_after
            FROM (
              SELECT id AS partner_id, joined_at AS changed_at, '-infinity'::float8 AS place, 1 AS level, status FROM partners
              UNION ALL
              SELECT r.partner_id, r.changed_at, r.number, r.to_level, p.status
                FROM partner_rank_changes r JOIN partners p ON p.id = r.partner_id
              UNION ALL
              SELECT id, coalesce(status_changed_at, joined_at), 'infinity', NULL, status FROM partners WHERE status <> 'ACTIVE'
            ) AS f
        ) AS c
    ) AS states
   WHERE NOT EXISTS (SELECT 1 FROM partner_state_changes)
  WINDOW changes AS (PARTITION BY partner_id ORDER BY changed_at, place)
   ORDER BY partner_id, changed_at, place`;

const TRIGGERS = `
  CREATE OR REPLACE TRIGGER partners_keep_status AFTER INSERT OR UPDATE OF status ON partners
    FOR EACH ROW EXECUTE FUNCTION keep_partner_status();
  CREATE OR REPLACE TRIGGER partner_rank_changes_keep AFTER INSERT ON partner_rank_changes
    FOR EACH ROW EXECUTE FUNCTION keep_partner_rank();`;

/** Keeps the changes of partners' statuses and ranks from now on, and those before as far as they are known. */
export async function keepPartnerStates(query: QueryInterface): Promise<void> {
  await inShortLocks(query, TABLE + FUNCTIONS);
  await inShortLocks(
    query,
    `LOCK TABLE partners, partner_rank_changes IN SHARE ROW EXCLUSIVE MODE; ${EARLIER}; ${TRIGGERS}`,
  );
}

export async function forgetPartnerStates(query: QueryInterface): Promise<void> {
  await inShortLocks(
    query,
    `DROP TRIGGER IF EXISTS partners_keep_status ON partners;
     DROP TRIGGER IF EXISTS partner_rank_changes_keep ON partner_rank_changes;
     DROP FUNCTION IF EXISTS keep_partner_status(); DROP FUNCTION IF EXISTS keep_partner_rank();
     DROP TABLE IF EXISTS partner_state_changes;`,
  );
}
