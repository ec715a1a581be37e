import { QueryTypes, type QueryInterface } from 'sequelize';

/**
 * Sales as the programme counts them, and the commissions of them. One event is one transaction of the engine: its sale, its
 * commissions, their bookings and all that is counted.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(SALES);
  await query.sequelize.query(COMMISSIONS);
}

const SALES = `
  CREATE TABLE partner_sales (
    id uuid PRIMARY KEY,
    -- The order of counting, whatever the clocks of the workers say.
    number bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT partner_sales_number_key UNIQUE,
    event_id uuid NOT NULL CONSTRAINT partner_sales_event_key UNIQUE
      CONSTRAINT partner_sales_event_fkey REFERENCES domain_events (id),
    kind text NOT NULL CONSTRAINT partner_sales_kind_check
      CHECK (kind IN ('ORDER', 'INVESTMENT', 'REFUND', 'CHARGEBACK', 'RETURN')),
    -- The order, or the investment's deposit.
    source_id uuid NOT NULL,
    buyer_id uuid NOT NULL CONSTRAINT partner_sales_buyer_fkey REFERENCES users (id),
    -- The buyer's nearest active partner above; null without one.
    partner_id uuid CONSTRAINT partner_sales_partner_fkey REFERENCES partners (id),
    -- Of a lost chargeback below zero; of a refund too, unless one has paid it and took more.
    base_minor bigint NOT NULL,
    -- The sum over the lines of base times commission rate, in ten-thousandths of a minor unit.
    commission_weight numeric(30) NOT NULL,
    -- The sum over the lines of base times career points' rate, as above.
    points_weight numeric(30) NOT NULL,
    -- In hundredths of a point.
    points bigint NOT NULL,
    currency text NOT NULL,
    programme_version integer NOT NULL
      CONSTRAINT partner_sales_programme_fkey REFERENCES partner_programmes (version),
    occurred_at timestamptz NOT NULL,
    counted_at timestamptz NOT NULL,
    CONSTRAINT partner_sales_sign_check CHECK (CASE kind WHEN 'REFUND' THEN true
      WHEN 'CHARGEBACK' THEN greatest(base_minor, commission_weight, points_weight, points) <= 0
      ELSE least(base_minor, commission_weight, points_weight, points) >= 0 END)
  );
  CREATE UNIQUE INDEX partner_sales_source_key ON partner_sales (source_id) WHERE kind IN ('ORDER', 'INVESTMENT');
  CREATE INDEX partner_sales_taken_back_idx ON partner_sales (source_id) WHERE kind IN ('REFUND', 'CHARGEBACK', 'RETURN');
  CREATE INDEX partner_sales_occurred_idx ON partner_sales (occurred_at);
  CREATE INDEX partner_sales_partner_idx ON partner_sales (partner_id, occurred_at);
  CREATE INDEX partner_sales_buyer_idx ON partner_sales (buyer_id);
`;

const COMMISSIONS = `
  CREATE TABLE partner_commissions (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL CONSTRAINT partner_commissions_partner_fkey REFERENCES partners (id),
    -- 0 entrance fee, 1 personal sale, 2 team, 3 repeat sale, 5 client profit, 6 network profit, 7 pool, 8 rank bonus.
    type smallint NOT NULL CONSTRAINT partner_commissions_type_check CHECK (type IN (0, 1, 2, 3, 5, 6, 7, 8)),
    source_type text NOT NULL
      CONSTRAINT partner_commissions_source_type_check CHECK (source_type IN ('ORDER', 'INVESTMENT', 'BONUS', 'RANK_BONUS')),
    -- The order, the deposit, the profit, the entrance, the run of the pool; of a rank bonus the partner.
    source_id uuid NOT NULL,
    -- Counted from the sponsor, who is 1. Of a rank bonus the rank's level; of a pool 0.
    level smallint NOT NULL CONSTRAINT partner_commissions_level_check CHECK (level >= 0),
    buyer_id uuid CONSTRAINT partner_commissions_buyer_fkey REFERENCES users (id),
    -- The sponsor of the sale.
    source_partner_id uuid CONSTRAINT partner_commissions_source_partner_fkey REFERENCES partners (id),
    programme_version integer NOT NULL
      CONSTRAINT partner_commissions_programme_fkey REFERENCES partner_programmes (version),
    rank_level smallint NOT NULL,
    -- What the amount was computed of: the sale's base, and its weight in ten-thousandths of a minor unit.
    base_minor bigint NOT NULL,
    commission_weight numeric(30) NOT NULL,
    rate_bp integer NOT NULL CONSTRAINT partner_commissions_rate_check CHECK (rate_bp BETWEEN 0 AND 10000),
    -- Of a differential: the highest rate met below.
    met_rate_bp integer,
    gross_minor bigint NOT NULL,
    net_minor bigint NOT NULL,
    points bigint NOT NULL DEFAULT 0,
    currency text NOT NULL,
    status text NOT NULL CONSTRAINT partner_commissions_status_check
      CHECK (status IN ('PENDING', 'APPROVED', 'PAID', 'HELD', 'REVERSED')),
    matures_at timestamptz NOT NULL,
    -- The state in which a refund or a lost chargeback found it that took it back as a whole.
    reversed_from text,
    -- The commission of which this takes back a part, or restores one that was taken back.
    reversal_of uuid CONSTRAINT partner_commissions_reversal_fkey REFERENCES partner_commissions (id),
    event_id uuid CONSTRAINT partner_commissions_event_fkey REFERENCES domain_events (id),
    adjustments integer NOT NULL DEFAULT 0,
    adjusted_by uuid CONSTRAINT partner_commissions_adjusted_by_fkey REFERENCES users (id),
    adjusted_at timestamptz,
    adjustment_reason text,
    processed_at timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT partner_commissions_sign_check CHECK (CASE WHEN reversal_of IS NULL
      THEN gross_minor > 0 AND net_minor >= 0
      ELSE gross_minor <> 0 AND net_minor <> 0 AND (gross_minor < 0) = (net_minor < 0) END),
    CONSTRAINT partner_commissions_reversed_from_check CHECK (reversed_from IS NULL
      OR status = 'REVERSED' AND reversal_of IS NULL AND reversed_from IN ('PENDING', 'HELD', 'APPROVED')),
    CONSTRAINT partner_commissions_source_check CHECK (CASE type
      WHEN 0 THEN source_type = 'BONUS' WHEN 7 THEN source_type = 'BONUS' WHEN 8 THEN source_type = 'RANK_BONUS'
      WHEN 5 THEN source_type = 'INVESTMENT' WHEN 6 THEN source_type = 'INVESTMENT'
      WHEN 3 THEN source_type = 'ORDER' ELSE source_type IN ('ORDER', 'INVESTMENT') END),
    CONSTRAINT partner_commissions_met_check CHECK ((type IN (2, 6)) = (met_rate_bp IS NOT NULL) AND met_rate_bp >= 0
      AND met_rate_bp + rate_bp <= 10000),
    CONSTRAINT partner_commissions_adjusted_check CHECK (
      num_nonnulls(adjusted_by, adjusted_at, adjustment_reason) = CASE adjustments WHEN 0 THEN 0 ELSE 3 END)
  ) WITH (fillfactor = 90);
  CREATE UNIQUE INDEX partner_commissions_once_key ON partner_commissions (source_id, partner_id, type, level)
    WHERE reversal_of IS NULL;
  CREATE UNIQUE INDEX partner_commissions_reversed_once_key ON partner_commissions (reversal_of, event_id)
    WHERE reversal_of IS NOT NULL;
  CREATE INDEX partner_commissions_partner_idx ON partner_commissions (partner_id, created_at DESC, id DESC);
  CREATE INDEX partner_commissions_created_idx ON partner_commissions (created_at DESC, id DESC);
  CREATE INDEX partner_commissions_due_idx ON partner_commissions (matures_at, id) WHERE status = 'PENDING';
  CREATE INDEX partner_commissions_held_idx ON partner_commissions (created_at DESC, id DESC)
    WHERE status IN ('HELD', 'REVERSED');

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

const BOOKED = `SELECT 1 FROM ledger_transfers WHERE reference LIKE 'commission:%' OR reference LIKE 'pool:%' LIMIT 1`;

/**
 * The ledger stays when the tables go: sales that are counted again after a booking would be paid twice, and sales that are
 * not would be lost. Without bookings they are queued again, for the `up` that follows.
 */
export async function down(query: QueryInterface): Promise<void> {
  const booked = await query.sequelize.query(BOOKED, { type: QueryTypes.SELECT });
  if (booked.length > 0)
    throw new Error(
      'Commissions or pools are booked in the ledger, and counting their sales again would pay them twice: ' +
        'restore the backup from before the release.',
    );
  await query.sequelize.query(`
    DROP TABLE partner_rank_changes, partner_commissions, partner_sales;
    UPDATE domain_events SET taken_at = NULL
     WHERE taken_at IS NOT NULL AND type IN ('order.paid', 'refund.completed', 'investment.created', 'profit.distributed')`);
}
