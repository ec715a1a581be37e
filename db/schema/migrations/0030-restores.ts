import type { QueryInterface } from 'sequelize';

/** The restores of this database from a copy. While one is not released, no money is sent. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE restores (
      id uuid PRIMARY KEY,
      -- The time at which the database was as the copy has it.
      copied_at timestamptz NOT NULL,
      restored_at timestamptz NOT NULL,
      -- Null while what was sent after the copy is not entered.
      released_at timestamptz,
      -- An operator's name, and what was compared.
      released_by text,
      note text,
      CONSTRAINT restores_copied_check CHECK (copied_at <= restored_at),
      CONSTRAINT restores_released_check
        CHECK (num_nulls(released_at, released_by, note) IN (0, 3) AND released_at >= restored_at),
      CONSTRAINT restores_released_by_check CHECK (length(btrim(released_by)) BETWEEN 1 AND 200),
      CONSTRAINT restores_note_check CHECK (length(btrim(note)) BETWEEN 1 AND 2000)
    );
    CREATE INDEX restores_unreleased_idx ON restores (restored_at) WHERE released_at IS NULL;
  `);
}

/** Refuses while a restore is not released: older programs know of no hold, and would send money. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DO $$ BEGIN
      IF EXISTS (SELECT 1 FROM restores WHERE released_at IS NULL) THEN
        RAISE EXCEPTION 'A restore is not released: release it first, by npm run restored.';
      END IF;
    END $$;
    DROP TABLE restores;
  `);
}
