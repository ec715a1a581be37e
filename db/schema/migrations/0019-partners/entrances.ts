/** The fees of people who join the partner programme, while one is due. */
export const ENTRANCES = `
  CREATE SEQUENCE partner_entrance_numbers;

  CREATE TABLE partner_entrances (
    id uuid PRIMARY KEY,
    number text NOT NULL CONSTRAINT partner_entrances_number_key UNIQUE,
    user_id uuid NOT NULL CONSTRAINT partner_entrances_user_fkey REFERENCES users (id),
    -- The membership that it paid for.
    partner_id uuid CONSTRAINT partner_entrances_partner_key UNIQUE
      CONSTRAINT partner_entrances_partner_fkey REFERENCES partners (id),
    status text NOT NULL CONSTRAINT partner_entrances_status_check
      CHECK (status IN ('PENDING_PAYMENT', 'PAID', 'CANCELLED')),
    amount_minor bigint NOT NULL CONSTRAINT partner_entrances_amount_check CHECK (amount_minor BETWEEN 1 AND 999999999999),
    currency text NOT NULL CONSTRAINT partner_entrances_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
    payment_method text NOT NULL CONSTRAINT partner_entrances_payment_method_check
      CHECK (payment_method IN ('CARD', 'BANK_TRANSFER', 'BALANCE')),
    payment_status text NOT NULL CONSTRAINT partner_entrances_payment_status_check
      CHECK (payment_status IN ('PENDING', 'PAID', 'FAILED', 'REFUNDED')),
    payment_expires_at timestamptz NOT NULL,
    paid_at timestamptz,
    ended_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT partner_entrances_paid_check CHECK ((status = 'PAID') = (partner_id IS NOT NULL)
      AND (status = 'PAID') = (paid_at IS NOT NULL) AND (status <> 'PAID' OR payment_status IN ('PAID', 'REFUNDED'))),
    CONSTRAINT partner_entrances_ended_check CHECK ((status = 'PENDING_PAYMENT') = (ended_at IS NULL))
  );
  CREATE UNIQUE INDEX partner_entrances_open_key ON partner_entrances (user_id)
    WHERE status = 'PENDING_PAYMENT';
  CREATE INDEX partner_entrances_due_idx ON partner_entrances (payment_expires_at, id)
    WHERE status = 'PENDING_PAYMENT';
  CREATE INDEX partner_entrances_user_idx ON partner_entrances (user_id, created_at DESC, id);
`;
