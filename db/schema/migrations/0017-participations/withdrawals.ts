/** Withdrawals of participations: money that leaves the platform, or goes to the balance of its owner. */
export const WITHDRAWALS = `
  CREATE TABLE investment_withdrawals (
    id uuid PRIMARY KEY,
    participation_id uuid NOT NULL
      CONSTRAINT investment_withdrawals_participation_fkey REFERENCES participations (id)
      CONSTRAINT investment_withdrawals_participation_key UNIQUE,
    user_id uuid NOT NULL CONSTRAINT investment_withdrawals_user_fkey REFERENCES users (id),
    method text NOT NULL CONSTRAINT investment_withdrawals_method_check
      CHECK (method IN ('BANK_CARD', 'BANK_TRANSFER', 'BALANCE')),
    status text NOT NULL CONSTRAINT investment_withdrawals_status_check
      CHECK (status IN ('PROCESSING', 'COMPLETED', 'CREDITED')),
    principal_minor bigint NOT NULL CONSTRAINT investment_withdrawals_principal_check CHECK (principal_minor > 0),
    returns_minor bigint NOT NULL,
    penalty_minor bigint NOT NULL CONSTRAINT investment_withdrawals_penalty_check CHECK (penalty_minor >= 0),
    net_minor bigint NOT NULL,
    currency text NOT NULL,
    -- Where the money goes, sealed; null for BALANCE, and some time after it has arrived.
    details bytea,
    masked_details text,
    provider text,
    transfer_reference text,
    sendings integer NOT NULL DEFAULT 0 CONSTRAINT investment_withdrawals_sendings_check CHECK (sendings >= 0),
    asked_at timestamptz,
    refused_because text,
    estimated_on date NOT NULL,
    created_at timestamptz NOT NULL,
    ended_at timestamptz,
    settled_by uuid CONSTRAINT investment_withdrawals_settled_by_fkey REFERENCES users (id),
    settlement_id uuid CONSTRAINT investment_withdrawals_settlement_key UNIQUE,
    -- As of payouts.
    asked_provider text,
    unproven jsonb NOT NULL DEFAULT '[]'
      CONSTRAINT investment_withdrawals_unproven_check CHECK (jsonb_typeof(unproven) = 'array'),
    CONSTRAINT investment_withdrawals_net_check
      CHECK (net_minor = greatest(0, principal_minor + returns_minor - penalty_minor)),
    CONSTRAINT investment_withdrawals_ended_check CHECK ((status = 'PROCESSING') = (ended_at IS NULL)),
    CONSTRAINT investment_withdrawals_provider_check
      CHECK ((provider IS NULL) = (method = 'BALANCE' OR net_minor = 0)),
    -- Where no provider sends anything, it is done with the request.
    CONSTRAINT investment_withdrawals_here_check CHECK (provider IS NOT NULL OR (status = 'COMPLETED'
      AND sendings = 0 AND asked_at IS NULL AND transfer_reference IS NULL AND details IS NULL)),
    CONSTRAINT investment_withdrawals_asked_check CHECK (asked_at IS NULL OR sendings > 0),
    -- As of payouts: while it is not known whether a provider has sent a withdrawal, nobody else does.
    CONSTRAINT investment_withdrawals_unknown_check CHECK (asked_at IS NULL
      OR (status <> 'CREDITED' AND asked_provider IS NOT NULL AND provider = asked_provider AND provider <> 'bank')),
    CONSTRAINT investment_withdrawals_sent_check CHECK (status <> 'COMPLETED' OR provider IS NULL
      OR transfer_reference IS NOT NULL),
    CONSTRAINT investment_withdrawals_refused_check CHECK ((status = 'CREDITED') = (refused_because IS NOT NULL)),
    CONSTRAINT investment_withdrawals_details_check CHECK (status <> 'PROCESSING' OR details IS NOT NULL)
  );
  CREATE INDEX investment_withdrawals_user_idx ON investment_withdrawals (user_id, created_at DESC);
  CREATE INDEX investment_withdrawals_open_idx ON investment_withdrawals (created_at) WHERE status = 'PROCESSING';
  CREATE INDEX investment_withdrawals_created_idx ON investment_withdrawals (created_at DESC, id DESC);
  CREATE INDEX investment_withdrawals_settled_by_idx ON investment_withdrawals (settled_by)
    WHERE settled_by IS NOT NULL;
  -- To a bank, BANK-7, bank-7 and BANK 7 are one reference.
  CREATE UNIQUE INDEX investment_withdrawals_bank_reference_key
    ON investment_withdrawals (upper(regexp_replace(transfer_reference, '[\\s\\u00a0\\u202f]', '', 'g')))
    WHERE provider = 'bank';
  -- A comparison with a provider's statement reads the withdrawals of a day, and finds one by the provider's id.
  CREATE INDEX investment_withdrawals_ended_idx ON investment_withdrawals (provider, ended_at)
    WHERE status = 'COMPLETED';
  CREATE INDEX investment_withdrawals_transfer_idx ON investment_withdrawals (provider, transfer_reference)
    WHERE status = 'COMPLETED';
`;
