/** Notes that administrators write about an order for each other. */
export const NOTES = `
  CREATE TABLE order_internal_notes (
    id uuid PRIMARY KEY,
    order_id uuid NOT NULL CONSTRAINT order_internal_notes_order_fkey REFERENCES orders (id),
    note text NOT NULL CONSTRAINT order_internal_notes_note_check CHECK (length(note) BETWEEN 1 AND 2000),
    created_by uuid NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX order_internal_notes_order_idx ON order_internal_notes (order_id, created_at, id);

  -- Notes are deleted only when their buyer's account has been erased.
  CREATE FUNCTION refuse_internal_note_change() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM orders o JOIN users u ON u.id = o.user_id
         WHERE o.id = OLD.order_id AND u.erased_at IS NOT NULL) THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END $body$;
  CREATE TRIGGER order_internal_notes_no_change BEFORE UPDATE OR DELETE ON order_internal_notes
    FOR EACH ROW EXECUTE FUNCTION refuse_internal_note_change();
  CREATE TRIGGER order_internal_notes_no_truncate BEFORE TRUNCATE ON order_internal_notes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;
