/** Changes of ranks, by points and by administrators. */
export const RANKS = `
  CREATE TABLE partner_rank_changes (
    id uuid PRIMARY KEY,
    -- The order of a partner's changes, whatever the clocks say: who changes a rank holds the lock of its standing.
    number bigint GENERATED ALWAYS AS IDENTITY,
    partner_id uuid NOT NULL CONSTRAINT partner_rank_changes_partner_fkey REFERENCES partners (id),
    programme_version integer NOT NULL
      CONSTRAINT partner_rank_changes_programme_fkey REFERENCES partner_programmes (version),
    from_level smallint NOT NULL,
    to_level smallint NOT NULL,
    -- Null: reached by points.
    changed_by uuid CONSTRAINT partner_rank_changes_changed_by_fkey REFERENCES users (id),
    reason text,
    changed_at timestamptz NOT NULL,
    CONSTRAINT partner_rank_changes_moves_check CHECK (from_level <> to_level),
    CONSTRAINT partner_rank_changes_by_check CHECK ((changed_by IS NULL) = (reason IS NULL)
      AND (changed_by IS NOT NULL OR to_level > from_level))
  );
  CREATE INDEX partner_rank_changes_partner_idx ON partner_rank_changes (partner_id, number);
`;
