import type { QueryInterface } from 'sequelize';

/** Everything an account knows of its person, who brought them, and where their sessions are. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE partners (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT partners_user_key UNIQUE CONSTRAINT partners_user_fkey REFERENCES users (id),
      referral_code text NOT NULL
        CONSTRAINT partners_referral_code_key UNIQUE
        CONSTRAINT partners_referral_code_check CHECK (referral_code ~ '^[A-Z0-9]{4,32}$'),
      status text NOT NULL CONSTRAINT partners_status_check CHECK (status IN ('ACTIVE', 'SUSPENDED', 'TERMINATED')),
      sponsor_id uuid CONSTRAINT partners_sponsor_fkey REFERENCES partners (id),
      joined_at timestamptz NOT NULL,
      CONSTRAINT partners_sponsor_check CHECK (sponsor_id <> id)
    );
    CREATE INDEX partners_sponsor_idx ON partners (sponsor_id);

    ALTER TABLE users
      ADD middle_name text,
      ADD date_of_birth date,
      ADD country_code text CONSTRAINT users_country_code_check CHECK (country_code ~ '^[A-Z]{2}$'),
      ADD home_region text,
      ADD city text,
      ADD postal_code text,
      ADD address_line1 text,
      ADD language text,
      ADD timezone text,
      ADD currency text CONSTRAINT users_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      ADD phone_verified_at timestamptz,
      ADD accepted_marketing boolean NOT NULL DEFAULT false,
      ADD terms_accepted_at timestamptz,
      ADD password_changed_at timestamptz,
      ADD sponsor_id uuid CONSTRAINT users_sponsor_fkey REFERENCES partners (id),
      ADD suspended_at timestamptz,
      ADD suspended_until timestamptz,
      ADD suspended_by uuid,
      ADD suspension_reason text,
      ADD payout_method text
        CONSTRAINT users_payout_method_check CHECK (payout_method IN ('BANK_TRANSFER', 'CARD', 'EWALLET')),
      ADD payout_masked text,
      ADD payout_sealed bytea,
      ADD payout_changed_at timestamptz,
      ADD deletion_due_at timestamptz,
      ADD erased_at timestamptz,
      ADD CONSTRAINT users_suspended_check CHECK (suspended_at IS NOT NULL OR suspended_until IS NULL),
      ADD CONSTRAINT users_phone_check CHECK (phone IS NOT NULL OR phone_verified_at IS NULL),
      ADD CONSTRAINT users_payout_check
        CHECK (num_nulls(payout_method, payout_masked, payout_sealed, payout_changed_at) IN (0, 4));
    CREATE UNIQUE INDEX users_region_phone_key ON users (region, phone);
    CREATE INDEX users_sponsor_idx ON users (sponsor_id);

    ALTER TABLE sessions
      ADD country text,
      ADD city text,
      DROP CONSTRAINT sessions_revoke_reason_check,
      ADD CONSTRAINT sessions_revoke_reason_check CHECK (revoke_reason IN
        ('LOGOUT', 'REVOKED', 'REUSE', 'TOO_MANY', 'PASSWORD', 'TWO_FACTOR', 'ADMIN', 'DELETION'));
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE sessions
      DROP COLUMN country,
      DROP COLUMN city,
      DROP CONSTRAINT sessions_revoke_reason_check;
    UPDATE sessions SET revoke_reason = 'ADMIN' WHERE revoke_reason IN ('REVOKED', 'TWO_FACTOR', 'DELETION');
    ALTER TABLE sessions ADD CONSTRAINT sessions_revoke_reason_check
      CHECK (revoke_reason IN ('LOGOUT', 'REUSE', 'TOO_MANY', 'PASSWORD', 'ADMIN'));

    DROP INDEX users_region_phone_key;
    ALTER TABLE users
      DROP CONSTRAINT users_suspended_check,
      ${COLUMNS.map((column) => `DROP COLUMN ${column}`).join(', ')};
    DROP TABLE partners;
  `);
}

const COLUMNS = [
  ...['middle_name', 'date_of_birth', 'country_code', 'home_region', 'city', 'postal_code', 'address_line1'],
  ...['language', 'timezone', 'currency', 'phone_verified_at', 'accepted_marketing', 'terms_accepted_at'],
  ...[
    'password_changed_at',
    'sponsor_id',
    'suspended_at',
    'suspended_until',
    'suspended_by',
    'suspension_reason',
  ],
  ...['payout_method', 'payout_masked', 'payout_sealed', 'payout_changed_at', 'deletion_due_at', 'erased_at'],
];
