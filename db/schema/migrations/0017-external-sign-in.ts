import type { QueryInterface } from 'sequelize';

/** People whom another provider vouches for, and sign-ins on their way there and back. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE external_accounts (
      issuer text NOT NULL,
      subject text NOT NULL,
      user_id uuid NOT NULL
        CONSTRAINT external_accounts_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (issuer, subject)
    );
    CREATE INDEX external_accounts_user_idx ON external_accounts (user_id);

    CREATE TABLE external_sign_ins (
      state_hash text PRIMARY KEY,
      provider text NOT NULL,
      region text NOT NULL,
      nonce text NOT NULL,
      code_verifier text NOT NULL,
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX external_sign_ins_expires_idx ON external_sign_ins (expires_at);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`DROP TABLE external_sign_ins, external_accounts;`);
}
