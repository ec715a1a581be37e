import type { QueryInterface } from 'sequelize';

/** Transfers of money out of the platform: what settles them, and what the sandbox provider knows of them. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE investment_withdrawals
      ADD COLUMN settled_by uuid CONSTRAINT investment_withdrawals_settled_by_fkey REFERENCES users (id),
      ADD COLUMN settlement_id uuid CONSTRAINT investment_withdrawals_settlement_key UNIQUE,
      ADD CONSTRAINT investment_withdrawals_provider_check
        CHECK ((provider IS NULL) = (method = 'BALANCE' OR net_minor = 0)),
      -- What no provider sends is done with the request.
      ADD CONSTRAINT investment_withdrawals_here_check CHECK (provider IS NOT NULL OR (status = 'COMPLETED'
        AND sendings = 0 AND asked_at IS NULL AND transfer_reference IS NULL AND details IS NULL)),
      ADD CONSTRAINT investment_withdrawals_asked_check CHECK (asked_at IS NULL OR sendings > 0),
      ADD CONSTRAINT investment_withdrawals_sent_check CHECK (status <> 'COMPLETED' OR provider IS NULL
        OR transfer_reference IS NOT NULL),
      ADD CONSTRAINT investment_withdrawals_refused_check CHECK ((status = 'CREDITED') = (refused_because IS NOT NULL)),
      ADD CONSTRAINT investment_withdrawals_details_check CHECK (status <> 'PROCESSING' OR details IS NOT NULL);
    CREATE UNIQUE INDEX investment_withdrawals_bank_reference_key
      ON investment_withdrawals (upper(regexp_replace(transfer_reference, '[\\s\\u00a0\\u202f]', '', 'g')))
      WHERE provider = 'bank';
    CREATE INDEX investment_withdrawals_created_idx ON investment_withdrawals (created_at DESC, id DESC);
    CREATE INDEX investment_withdrawals_settled_by_idx ON investment_withdrawals (settled_by)
      WHERE settled_by IS NOT NULL;

    CREATE TABLE sandbox_transfers (
      key text PRIMARY KEY,
      id uuid NOT NULL CONSTRAINT sandbox_transfers_id_key UNIQUE,
      amount_minor bigint NOT NULL CONSTRAINT sandbox_transfers_amount_check CHECK (amount_minor > 0),
      currency text NOT NULL,
      status text NOT NULL CONSTRAINT sandbox_transfers_status_check CHECK (status IN ('ARRIVED', 'REFUSED')),
      created_at timestamptz NOT NULL
    );
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE sandbox_transfers;
    DROP INDEX investment_withdrawals_bank_reference_key, investment_withdrawals_created_idx;
    ALTER TABLE investment_withdrawals DROP CONSTRAINT investment_withdrawals_provider_check,
      DROP CONSTRAINT investment_withdrawals_here_check, DROP CONSTRAINT investment_withdrawals_asked_check,
      DROP CONSTRAINT investment_withdrawals_sent_check, DROP CONSTRAINT investment_withdrawals_refused_check,
      DROP CONSTRAINT investment_withdrawals_details_check, DROP COLUMN settlement_id, DROP COLUMN settled_by;
  `);
}
