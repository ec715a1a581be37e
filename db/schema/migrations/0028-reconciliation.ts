import type { QueryInterface } from 'sequelize';

/** The movements that providers report of our account with them, day by day, and where they differ from our records. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE provider_reconciliations (
      id uuid PRIMARY KEY,
      provider text NOT NULL,
      -- In UTC.
      day date NOT NULL,
      -- Counts the readings of the day; only the latest is recorded.
      reading integer NOT NULL,
      started_at timestamptz NOT NULL,
      -- The last time that the whole day was read; stays while it is read again.
      read_at timestamptz,
      -- Null while the latest reading is not compared.
      compared_at timestamptz,
      movements integer NOT NULL DEFAULT 0,
      fees_booked integer NOT NULL DEFAULT 0,
      CONSTRAINT provider_reconciliations_day_key UNIQUE (provider, day),
      CONSTRAINT provider_reconciliations_reading_check CHECK (reading > 0),
      CONSTRAINT provider_reconciliations_compared_check
        CHECK (compared_at IS NULL OR (read_at IS NOT NULL AND compared_at >= started_at)),
      CONSTRAINT provider_reconciliations_counts_check CHECK (movements >= 0 AND fees_booked >= 0)
    );

    CREATE TABLE provider_movements (
      provider text NOT NULL,
      kind text NOT NULL CONSTRAINT provider_movements_kind_check CHECK (kind IN
        ('CAPTURE', 'REFUND', 'CHARGEBACK', 'CHARGEBACK_RETURNED', 'TRANSFER_OUT', 'FEE')),
      -- The provider's own id of it, of which it has one for each time that money moves.
      provider_id text NOT NULL,
      -- The provider's id of the chargeback that took or returned the money; null: that is the id above, or it is no chargeback.
      chargeback_id text CONSTRAINT provider_movements_chargeback_check
        CHECK (chargeback_id IS NULL OR kind IN ('CHARGEBACK', 'CHARGEBACK_RETURNED')),
      day date NOT NULL,
      -- Our key of it, where the provider knows one; of a fee, the provider's id of the chargeback that it is for.
      reference text,
      -- The provider's id of the movement of the same kind that this one undoes.
      reverses text,
      amount_minor bigint NOT NULL CONSTRAINT provider_movements_amount_check CHECK (amount_minor <> 0),
      currency text NOT NULL CONSTRAINT provider_movements_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      occurred_at timestamptz NOT NULL,
      -- The reading of the day that it was last found in.
      reading integer NOT NULL,
      -- When it was compared with our records; null until then.
      compared_at timestamptz,
      CONSTRAINT provider_movements_pkey PRIMARY KEY (provider, kind, provider_id),
      CONSTRAINT provider_movements_day_fkey FOREIGN KEY (provider, day)
        REFERENCES provider_reconciliations (provider, day)
    );
    CREATE INDEX provider_movements_day_idx ON provider_movements (provider, day);
    CREATE INDEX provider_movements_expired_idx ON provider_movements (day);
    CREATE INDEX provider_movements_reference_idx
      ON provider_movements (provider, kind, reference) WHERE reference IS NOT NULL;
    CREATE INDEX provider_movements_chargeback_idx
      ON provider_movements (provider, kind, chargeback_id) WHERE chargeback_id IS NOT NULL;
    CREATE INDEX provider_movements_reverses_idx
      ON provider_movements (provider, kind, reverses) WHERE reverses IS NOT NULL;

    CREATE TABLE reconciliation_differences (
      id uuid PRIMARY KEY,
      -- The run that found it first; null where a report on a bank file shows it, or a look-up of a transfer.
      run_id uuid CONSTRAINT reconciliation_differences_run_fkey REFERENCES provider_reconciliations (id),
      provider text NOT NULL,
      day date NOT NULL,
      kind text NOT NULL CONSTRAINT reconciliation_differences_kind_check CHECK (kind IN
        ('MISSING_HERE', 'MISSING_THERE', 'AMOUNT', 'CURRENCY', 'TWICE', 'CLEARING')),
      -- Null of a clearing account.
      movement_kind text CONSTRAINT reconciliation_differences_movement_check CHECK (movement_kind IN
        ('CAPTURE', 'REFUND', 'CHARGEBACK', 'CHARGEBACK_RETURNED', 'TRANSFER_OUT', 'FEE')),
      provider_id text,
      -- The id of our row; of a clearing account its day and currency.
      our_id text,
      our_minor bigint,
      our_currency text,
      their_minor bigint,
      their_currency text,
      found_at timestamptz NOT NULL,
      last_seen_at timestamptz NOT NULL,
      resolved_at timestamptz,
      -- The administrator who said that it is explained; null when it was gone by itself.
      resolved_by uuid CONSTRAINT reconciliation_differences_resolved_by_fkey REFERENCES users (id),
      note text,
      CONSTRAINT reconciliation_differences_key
        UNIQUE NULLS NOT DISTINCT (provider, kind, movement_kind, provider_id, our_id),
      CONSTRAINT reconciliation_differences_source_check CHECK (CASE WHEN provider = 'bank-file'
        THEN run_id IS NULL ELSE run_id IS NOT NULL OR (kind = 'MISSING_HERE' AND movement_kind IN ('TRANSFER_OUT', 'REFUND')) END),
      CONSTRAINT reconciliation_differences_clearing_check CHECK ((kind = 'CLEARING') = (movement_kind IS NULL)),
      CONSTRAINT reconciliation_differences_sides_check CHECK (num_nonnulls(provider_id, our_id) > 0
        AND (our_minor IS NULL) = (our_currency IS NULL) AND (their_minor IS NULL) = (their_currency IS NULL)),
      CONSTRAINT reconciliation_differences_resolved_check CHECK ((resolved_by IS NULL) = (note IS NULL)
        AND (resolved_by IS NULL OR resolved_at IS NOT NULL))
    );
    CREATE INDEX reconciliation_differences_found_idx
      ON reconciliation_differences (found_at DESC, id DESC);
    CREATE INDEX reconciliation_differences_open_idx
      ON reconciliation_differences (provider, found_at) WHERE resolved_at IS NULL;
    CREATE INDEX reconciliation_differences_run_idx ON reconciliation_differences (run_id);
    CREATE INDEX reconciliation_differences_resolved_by_idx
      ON reconciliation_differences (resolved_by) WHERE resolved_by IS NOT NULL;
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE reconciliation_differences, provider_movements, provider_reconciliations;
  `);
}
