/**
 * Commissions. Each order of their lists, each filter that few of them fit, statements, the erasure of a partner and
 * the export of a user's accounts read one index.
 */
export const COMMISSIONS = `
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
    -- The administrator who approved it before its time.
    approved_by uuid CONSTRAINT partner_commissions_approved_by_fkey REFERENCES users (id),
    paid_at timestamptz,
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
  CREATE INDEX partner_commissions_status_idx ON partner_commissions (status, created_at DESC, id DESC);
  CREATE INDEX partner_commissions_amount_idx ON partner_commissions (net_minor, id);
  CREATE INDEX partner_commissions_type_idx ON partner_commissions (type, created_at DESC, id DESC);
  CREATE INDEX partner_commissions_source_idx ON partner_commissions (source_type, created_at DESC, id DESC);
  CREATE INDEX partner_commissions_totals_idx ON partner_commissions (partner_id, status, type)
    INCLUDE (net_minor);
  CREATE INDEX partner_commissions_adjusted_idx ON partner_commissions (partner_id)
    WHERE adjustment_reason IS NOT NULL;
  CREATE INDEX partner_commissions_paid_idx ON partner_commissions (partner_id) INCLUDE (net_minor)
    WHERE status = 'PAID';
  -- The commissions that a completed payout may pay, the oldest first.
  CREATE INDEX partner_commissions_payable_idx ON partner_commissions (partner_id, currency, created_at, id)
    INCLUDE (net_minor) WHERE status = 'APPROVED';
  -- For the figures.
  CREATE INDEX partner_commissions_ended_idx ON partner_commissions ((CASE status
      WHEN 'PAID' THEN coalesce(paid_at, processed_at, created_at) ELSE coalesce(processed_at, created_at) END))
    WHERE status IN ('PAID', 'REVERSED');

  -- Commissions that were taken back as a whole and restored: both times stay, whatever becomes of the commission.
  CREATE TABLE partner_commission_restorals (
    commission_id uuid NOT NULL
      CONSTRAINT partner_commission_restorals_commission_fkey REFERENCES partner_commissions (id),
    -- The event that restored it.
    event_id uuid NOT NULL CONSTRAINT partner_commission_restorals_event_fkey REFERENCES domain_events (id),
    reversed_at timestamptz NOT NULL,
    restored_at timestamptz NOT NULL,
    CONSTRAINT partner_commission_restorals_pkey PRIMARY KEY (commission_id, event_id)
  );
`;
