/** Transfers, their entries, and what the entries come to. */
export const TABLES = `CREATE TABLE ledger_transfers (
      id uuid PRIMARY KEY,
      -- The business event: its kind, its subject, and its part, empty where a subject has one event of the kind.
      kind text NOT NULL,
      subject_id text NOT NULL,
      part text NOT NULL DEFAULT '',
      clawback boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL,
      CONSTRAINT ledger_transfers_reference_key UNIQUE (kind, subject_id, part)
    );

    CREATE TABLE ledger_entries (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      transfer_id uuid NOT NULL CONSTRAINT ledger_entries_transfer_fkey REFERENCES ledger_transfers (id),
      account text NOT NULL,
      user_id uuid CONSTRAINT ledger_entries_user_fkey REFERENCES users (id),
      currency text NOT NULL CONSTRAINT ledger_entries_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      amount_minor bigint NOT NULL CONSTRAINT ledger_entries_amount_check CHECK (amount_minor <> 0),
      created_at timestamptz NOT NULL,
      hold_id uuid,
      CONSTRAINT ledger_entries_hold_check CHECK ((account = 'payout_hold') = (hold_id IS NOT NULL)),
      CONSTRAINT ledger_entries_account_check CHECK (
        CASE WHEN user_id IS NULL
          THEN account IN ('sales', 'tax', 'shipping', 'payments', 'payouts', 'commission_expense', 'pool_weekly',
            'pool_monthly', 'investments', 'penalties', 'entrance_fees', 'forfeited', 'refunds', 'provider_fees', 'losses')
            -- Money at each provider has an account of its own.
            OR account ~ '^clearing_[a-z0-9_-]{1,60}$'
          ELSE account IN ('wallet', 'partner_pending', 'partner_available', 'payout_hold')
        END)
    );
    CREATE INDEX ledger_entries_transfer_idx ON ledger_entries (transfer_id);
    CREATE INDEX ledger_entries_user_idx ON ledger_entries (user_id, id) WHERE user_id IS NOT NULL;
    CREATE INDEX ledger_entries_account_idx ON ledger_entries (user_id, account, id) WHERE user_id IS NOT NULL;
    -- Statements of partners.
    CREATE INDEX ledger_entries_partner_idx ON ledger_entries (user_id, currency, created_at, transfer_id)
      INCLUDE (amount_minor, account, hold_id) WHERE account IN ('partner_pending', 'partner_available', 'payout_hold');
    -- The debts of investment providers, and a day of one provider's account.
    CREATE INDEX ledger_entries_provider_idx ON ledger_entries (id) INCLUDE (account, currency, amount_minor)
      WHERE account ^@ 'clearing_provider_';
    CREATE INDEX ledger_entries_clearing_idx ON ledger_entries (account, created_at)
      INCLUDE (currency, amount_minor) WHERE account ^@ 'clearing_';

    CREATE TABLE ledger_balances (
      user_id uuid NOT NULL CONSTRAINT ledger_balances_user_fkey REFERENCES users (id),
      account text NOT NULL,
      currency text NOT NULL,
      balance_minor bigint NOT NULL DEFAULT 0,
      updated_at timestamptz NOT NULL,
      CONSTRAINT ledger_balances_pkey PRIMARY KEY (user_id, account, currency),
      CONSTRAINT ledger_balances_not_negative CHECK (balance_minor >= 0 OR account = 'partner_available')
    );

    -- What is held for one thing: a payout, or an investment that is on its way to its owner. Its id is the hold's.
    CREATE TABLE ledger_holds (
      hold_id uuid CONSTRAINT ledger_holds_pkey PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT ledger_holds_user_fkey REFERENCES users (id),
      currency text NOT NULL,
      balance_minor bigint NOT NULL CONSTRAINT ledger_holds_not_negative CHECK (balance_minor >= 0)
    );
    CREATE INDEX ledger_holds_open_idx ON ledger_holds (user_id) WHERE balance_minor > 0;`;

/** What comparisons of balances with entries found, and how far they went. */
export const COMPARISONS = `CREATE TABLE ledger_drifts (
      id uuid PRIMARY KEY,
      user_id uuid,
      account text NOT NULL,
      currency text NOT NULL,
      balance_minor bigint NOT NULL,
      entries_minor bigint NOT NULL,
      found_at timestamptz NOT NULL
    );
    CREATE INDEX ledger_drifts_found_idx ON ledger_drifts (found_at);

    -- The balance of a platform's account up to an entry, all of whose predecessors were committed.
    CREATE TABLE ledger_checkpoints (
      account text NOT NULL,
      currency text NOT NULL,
      entry_id bigint NOT NULL,
      balance_minor bigint NOT NULL,
      CONSTRAINT ledger_checkpoints_pkey PRIMARY KEY (account, currency)
    );

    -- The balances of the platform's accounts: the last checkpoint and the entries after it, so that the time does not grow
    -- with the ledger. They are told by their names, which the index of an account has.
    CREATE VIEW platform_balances AS
      SELECT account, currency, sum(minor)::bigint AS minor FROM (
        SELECT account, currency, balance_minor AS minor FROM ledger_checkpoints
        UNION ALL SELECT account, currency, amount_minor FROM ledger_entries
         WHERE account NOT IN ('wallet', 'partner_pending', 'partner_available', 'payout_hold')
           AND id > (SELECT coalesce(max(entry_id), 0) FROM ledger_checkpoints)) AS moved
       GROUP BY account, currency;

    -- Comparisons of balances with entries, each with how far it saw; without one the next compares the whole ledger.
    CREATE TABLE ledger_reconciliations (
      compared_at timestamptz PRIMARY KEY,
      whole boolean NOT NULL,
      drifts integer NOT NULL,
      unbalanced_transfers integer NOT NULL,
      last_entry_id bigint NOT NULL,
      transaction_id bigint NOT NULL,
      settled_entry_id bigint NOT NULL,
      CONSTRAINT ledger_reconciliations_counts_check CHECK (drifts >= 0 AND unbalanced_transfers >= 0),
      CONSTRAINT ledger_reconciliations_settled_check CHECK (settled_entry_id <= last_entry_id)
    );`;
