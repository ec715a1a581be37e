/** Money between investment providers and us, what they owe, and what of it is written off. */
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
    -- The parts of it that did not pay a debt: what had been written off, and what is the provider's credit.
    recovered_minor bigint NOT NULL DEFAULT 0,
    credited_minor bigint NOT NULL DEFAULT 0,
    currency text NOT NULL CONSTRAINT investment_provider_payments_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
    bank_reference text NOT NULL,
    note text,
    entered_by uuid NOT NULL CONSTRAINT investment_provider_payments_entered_by_fkey REFERENCES users (id),
    created_at timestamptz NOT NULL,
    CONSTRAINT investment_provider_payments_parts_check CHECK (recovered_minor >= 0 AND credited_minor >= 0
      AND recovered_minor + credited_minor <= CASE direction WHEN 'RECEIVED' THEN amount_minor ELSE 0 END)
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

  -- What a provider owes and is not expected to pay any more.
  CREATE TABLE investment_provider_write_offs (
    id uuid PRIMARY KEY,
    provider_code text NOT NULL
      CONSTRAINT investment_provider_write_offs_provider_fkey REFERENCES investment_providers (code),
    amount_minor bigint NOT NULL CONSTRAINT investment_provider_write_offs_amount_check CHECK (amount_minor > 0),
    currency text NOT NULL CONSTRAINT investment_provider_write_offs_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
    reason text NOT NULL,
    decided_by uuid NOT NULL CONSTRAINT investment_provider_write_offs_decided_by_fkey REFERENCES users (id),
    created_at timestamptz NOT NULL
  );
  CREATE INDEX investment_provider_write_offs_created_idx
    ON investment_provider_write_offs (provider_code, created_at DESC, id DESC);
  CREATE INDEX investment_provider_write_offs_decided_by_idx ON investment_provider_write_offs (decided_by);
  CREATE TRIGGER investment_provider_write_offs_no_change BEFORE UPDATE OR DELETE ON investment_provider_write_offs
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER investment_provider_write_offs_no_truncate BEFORE TRUNCATE ON investment_provider_write_offs
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  -- What a provider owes, has paid less what was sent to it, and has not recovered of what was written off; and whether it
  -- reports: one that cannot is the platform itself.
  CREATE FUNCTION investment_provider_standing(provider text, of_currency text, OUT owed_minor bigint, OUT paid_minor bigint,
    OUT unrecovered_minor bigint, OUT reports boolean) LANGUAGE sql STABLE AS $body$
    SELECT coalesce((SELECT d.owed_minor FROM investment_provider_debts_now d
                      WHERE d.provider_code = provider AND d.currency = of_currency), 0),
           coalesce(sum(CASE p.direction WHEN 'RECEIVED' THEN p.amount_minor ELSE -p.amount_minor END), 0)::bigint,
           (coalesce((SELECT sum(w.amount_minor) FROM investment_provider_write_offs w
                       WHERE w.provider_code = provider AND w.currency = of_currency), 0)
             - coalesce(sum(p.recovered_minor), 0))::bigint,
           EXISTS (SELECT FROM investment_provider_secrets s WHERE s.provider_code = provider AND s.purpose = 'WEBHOOK')
      FROM investment_provider_payments p WHERE p.provider_code = provider AND p.currency = of_currency
  $body$;

  -- A provider pays no more than it owes, but for what recovers a write-off and what is its credit; it recovers no more than was
  -- written off, and is sent back no more than it has paid. A row is inserted before it is booked.
  CREATE FUNCTION bound_investment_provider_payment() RETURNS trigger LANGUAGE plpgsql AS $body$
  DECLARE
    standing record;
    most bigint;
  BEGIN
    -- Payments of one provider queue, so that each is compared with what those before it have left.
    PERFORM FROM investment_providers WHERE code = NEW.provider_code FOR NO KEY UPDATE;
    -- It counts the row as paid and recovered already.
    SELECT * INTO standing FROM investment_provider_standing(NEW.provider_code, NEW.currency);
    most := CASE NEW.direction WHEN 'SENT' THEN standing.paid_minor + NEW.amount_minor
      ELSE greatest(0, standing.owed_minor) + NEW.recovered_minor + NEW.credited_minor END;
    IF NEW.amount_minor > most OR standing.unrecovered_minor < 0 OR (NEW.credited_minor > 0 AND NOT standing.reports) THEN
      RAISE EXCEPTION 'a payment of % exceeds %', NEW.amount_minor, most
        USING ERRCODE = 'check_violation', CONSTRAINT = 'investment_provider_payments_bound',
          TABLE = 'investment_provider_payments';
    END IF;
    RETURN NULL;
  END $body$;
  CREATE TRIGGER investment_provider_payments_bound AFTER INSERT ON investment_provider_payments
    FOR EACH ROW EXECUTE FUNCTION bound_investment_provider_payment();

  -- No more is written off than is owed, payments and other write-offs included. A row is inserted before it is booked.
  CREATE FUNCTION bound_investment_provider_write_off() RETURNS trigger LANGUAGE plpgsql AS $body$
  DECLARE
    most bigint;
  BEGIN
    PERFORM FROM investment_providers WHERE code = NEW.provider_code FOR NO KEY UPDATE;
    SELECT owed_minor INTO most FROM investment_provider_standing(NEW.provider_code, NEW.currency);
    IF NEW.amount_minor > most THEN
      RAISE EXCEPTION 'a write-off of % exceeds %', NEW.amount_minor, most
        USING ERRCODE = 'check_violation', CONSTRAINT = 'investment_provider_write_offs_bound',
          TABLE = 'investment_provider_write_offs';
    END IF;
    RETURN NULL;
  END $body$;
  CREATE TRIGGER investment_provider_write_offs_bound AFTER INSERT ON investment_provider_write_offs
    FOR EACH ROW EXECUTE FUNCTION bound_investment_provider_write_off();
`;
