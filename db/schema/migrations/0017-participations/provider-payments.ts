/** Money between investment providers and us, and what they owe. */
export const PROVIDER_PAYMENTS = `
  -- What each provider owes us now: what it holds by its clearing account beyond what its running participations are owed. One
  -- that cannot report is the platform itself, and owes nothing.
  CREATE VIEW investment_provider_debts_now AS
    SELECT p.code AS provider_code, held.currency, (held.minor - coalesce(running.minor, 0))::bigint AS owed_minor
      FROM investment_providers p
      JOIN (SELECT substr(account, length('clearing_provider_') + 1) AS provider_code, currency, -minor AS minor
              FROM platform_balances WHERE account ^@ 'clearing_provider_') AS held ON held.provider_code = p.code
      LEFT JOIN (SELECT provider_code, currency, sum(greatest(0, amount_minor - withdrawn_minor + earned_minor)) AS minor
                   FROM participations WHERE status = 'ACTIVE' GROUP BY provider_code, currency) AS running
        ON running.provider_code = p.code AND running.currency = held.currency
     WHERE EXISTS (SELECT FROM investment_provider_secrets s WHERE s.provider_code = p.code AND s.purpose = 'WEBHOOK');

  -- What arrived from a provider at our bank, and what was sent to it beyond the principal that is passed on by itself.
  CREATE TABLE investment_provider_payments (
    id uuid PRIMARY KEY,
    provider_code text NOT NULL
      CONSTRAINT investment_provider_payments_provider_fkey REFERENCES investment_providers (code),
    direction text NOT NULL
      CONSTRAINT investment_provider_payments_direction_check CHECK (direction IN ('RECEIVED', 'SENT')),
    amount_minor bigint NOT NULL CONSTRAINT investment_provider_payments_amount_check CHECK (amount_minor > 0),
    currency text NOT NULL CONSTRAINT investment_provider_payments_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
    bank_reference text NOT NULL,
    note text,
    entered_by uuid NOT NULL CONSTRAINT investment_provider_payments_entered_by_fkey REFERENCES users (id),
    created_at timestamptz NOT NULL
  );
  -- To a bank, BANK-7, bank-7 and BANK 7 are one reference.
  CREATE UNIQUE INDEX investment_provider_payments_bank_reference_key
    ON investment_provider_payments (upper(regexp_replace(bank_reference, '[\\s\\u00a0\\u202f]', '', 'g')));
  CREATE INDEX investment_provider_payments_created_idx
    ON investment_provider_payments (provider_code, created_at DESC, id DESC);
  CREATE INDEX investment_provider_payments_entered_by_idx ON investment_provider_payments (entered_by);
  CREATE TRIGGER investment_provider_payments_no_change BEFORE UPDATE OR DELETE ON investment_provider_payments
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER investment_provider_payments_no_truncate BEFORE TRUNCATE ON investment_provider_payments
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  -- A provider pays no more than it owes, and is sent back no more than it has paid. A row is inserted before it is booked.
  CREATE FUNCTION bound_investment_provider_payment() RETURNS trigger LANGUAGE plpgsql AS $body$
  DECLARE
    most bigint;
  BEGIN
    -- Payments of one provider queue, so that each is compared with what those before it have left.
    PERFORM FROM investment_providers WHERE code = NEW.provider_code FOR NO KEY UPDATE;
    IF NEW.direction = 'RECEIVED' THEN
      SELECT owed_minor INTO most FROM investment_provider_debts_now
       WHERE provider_code = NEW.provider_code AND currency = NEW.currency;
    ELSE
      SELECT sum(CASE direction WHEN 'RECEIVED' THEN amount_minor ELSE -amount_minor END) INTO most
        FROM investment_provider_payments
       WHERE provider_code = NEW.provider_code AND currency = NEW.currency AND id <> NEW.id;
    END IF;
    IF NEW.amount_minor > coalesce(most, 0) THEN
      RAISE EXCEPTION 'a payment of % exceeds %', NEW.amount_minor, coalesce(most, 0)
        USING ERRCODE = 'check_violation', CONSTRAINT = 'investment_provider_payments_bound',
          TABLE = 'investment_provider_payments';
    END IF;
    RETURN NULL;
  END $body$;
  CREATE TRIGGER investment_provider_payments_bound AFTER INSERT ON investment_provider_payments
    FOR EACH ROW EXECUTE FUNCTION bound_investment_provider_payment();
`;
