import type { QueryInterface } from 'sequelize';

/**
 * The leadership pools: one run a kind and period, and the figures of every partner that it looked at, so that anyone
 * can check the arithmetic. The counts of a run do not change any more; a share is marked in the transaction that pays
 * it.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE pool_runs (
      id uuid PRIMARY KEY,
      kind text NOT NULL CONSTRAINT pool_runs_kind_check CHECK (kind IN ('WEEKLY', 'MONTHLY')),
      -- 2026-W47 or 2026-11.
      period text NOT NULL,
      starts_at timestamptz NOT NULL,
      -- The first moment after the period.
      ends_at timestamptz NOT NULL,
      programme_version integer NOT NULL
        CONSTRAINT pool_runs_programme_fkey REFERENCES partner_programmes (version),
      currency text NOT NULL,
      -- The sales, less refunds, of the period and the late ones of periods that were counted before.
      base_minor bigint NOT NULL,
      rate_bp integer NOT NULL,
      pool_minor bigint NOT NULL,
      -- The qualified volume from which a partner takes part.
      minimum_volume_minor bigint NOT NULL,
      -- The sum of the numerators of the shares.
      denominator numeric(40) NOT NULL,
      participants integer NOT NULL,
      distributed_minor bigint NOT NULL,
      status text NOT NULL CONSTRAINT pool_runs_status_check CHECK (status IN ('PAYING', 'COMPLETED')),
      counted_at timestamptz NOT NULL,
      -- The last sale that was counted when this was; sales of the period with a higher number are late: they count in the
      -- next run of the kind.
      last_sale_number bigint NOT NULL,
      -- The run of the kind that was counted before this, null for the first. Each has one successor, so that no two runs
      -- count the same late sales.
      previous_run_id uuid CONSTRAINT pool_runs_previous_fkey REFERENCES pool_runs (id),
      completed_at timestamptz,
      CONSTRAINT pool_runs_period_key UNIQUE (kind, period),
      CONSTRAINT pool_runs_previous_key UNIQUE NULLS NOT DISTINCT (kind, previous_run_id),
      CONSTRAINT pool_runs_times_check CHECK (starts_at < ends_at AND ends_at <= counted_at),
      CONSTRAINT pool_runs_completed_check CHECK ((status = 'COMPLETED') = (completed_at IS NOT NULL)),
      CONSTRAINT pool_runs_amounts_check CHECK (distributed_minor BETWEEN 0 AND pool_minor AND denominator >= 0
        AND participants >= 0 AND (participants = 0) = (denominator = 0) AND (denominator > 0 OR distributed_minor = 0))
    );
    CREATE INDEX pool_runs_ended_idx ON pool_runs (ends_at DESC, id DESC);

    CREATE TABLE pool_shares (
      run_id uuid NOT NULL CONSTRAINT pool_shares_run_fkey REFERENCES pool_runs (id),
      partner_id uuid NOT NULL CONSTRAINT pool_shares_partner_fkey REFERENCES partners (id),
      -- The partner's number, which decides between equal remainders.
      number bigint NOT NULL,
      rank_level smallint NOT NULL,
      weight integer NOT NULL CONSTRAINT pool_shares_weight_check CHECK (weight > 0),
      -- Legs above zero, and their sum.
      legs integer NOT NULL CONSTRAINT pool_shares_legs_check CHECK (legs >= 0),
      volume_minor bigint NOT NULL,
      largest_leg_minor bigint NOT NULL,
      qualified_minor bigint NOT NULL,
      takes_part boolean NOT NULL,
      -- The share is pool times numerator by the run's denominator.
      numerator numeric(40) NOT NULL
        GENERATED ALWAYS AS (CASE WHEN takes_part THEN qualified_minor::numeric * weight ELSE 0 END) STORED,
      amount_minor bigint NOT NULL,
      -- The commission that pays it.
      commission_id uuid CONSTRAINT pool_shares_commission_key UNIQUE,
      paid_at timestamptz,
      CONSTRAINT pool_shares_pkey PRIMARY KEY (run_id, partner_id),
      CONSTRAINT pool_shares_volume_check CHECK (largest_leg_minor BETWEEN 0 AND volume_minor
        AND qualified_minor = least(volume_minor, 2 * (volume_minor - largest_leg_minor))),
      CONSTRAINT pool_shares_amount_check CHECK (amount_minor >= 0 AND (amount_minor = 0 OR takes_part)
        AND (amount_minor > 0) = (commission_id IS NOT NULL) AND (paid_at IS NULL OR amount_minor > 0))
    );
    CREATE INDEX pool_shares_amount_idx ON pool_shares (run_id, amount_minor DESC, number);
    CREATE INDEX pool_shares_unpaid_idx ON pool_shares (run_id, partner_id) WHERE paid_at IS NULL AND amount_minor > 0;
    CREATE INDEX pool_shares_partner_idx ON pool_shares (partner_id);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE pool_shares, pool_runs;
  `);
}
