/** Sales as the programme counts them. */
export const SALES = `
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
