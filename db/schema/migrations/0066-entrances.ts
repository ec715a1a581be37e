import type { QueryInterface } from 'sequelize';
import { inShortLocks, TABLES_OF_PAYMENTS } from './0053-payables';
import { buildIndex, dropIndex, type ConcurrentIndex } from './0054-payables-checked';

const ENTRANCES = `
  CREATE SEQUENCE IF NOT EXISTS partner_entrance_numbers;

  -- The fees of people who join the partner programme, while one is due.
  CREATE TABLE IF NOT EXISTS partner_entrances (
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
  CREATE UNIQUE INDEX IF NOT EXISTS partner_entrances_open_key ON partner_entrances (user_id)
    WHERE status = 'PENDING_PAYMENT';
  CREATE INDEX IF NOT EXISTS partner_entrances_due_idx ON partner_entrances (payment_expires_at, id)
    WHERE status = 'PENDING_PAYMENT';
  CREATE INDEX IF NOT EXISTS partner_entrances_user_idx ON partner_entrances (user_id, created_at DESC, id);
`;

const INDEXES: readonly ConcurrentIndex[] = [
  {
    name: 'payment_attempts_entrance_sequence_key',
    unique: true,
    on: 'payment_attempts (entrance_id, sequence) WHERE entrance_id IS NOT NULL',
  },
  {
    name: 'payment_attempts_one_paid_entrance_key',
    unique: true,
    on: `payment_attempts (entrance_id) WHERE status = 'PAID' AND entrance_id IS NOT NULL`,
  },
  {
    name: 'payment_captures_entrance_idx',
    on: 'payment_captures (entrance_id) WHERE entrance_id IS NOT NULL',
  },
  {
    name: 'payment_captures_one_applied_entrance_key',
    unique: true,
    on: 'payment_captures (entrance_id) WHERE applied AND entrance_id IS NOT NULL',
  },
  {
    name: 'payment_refunds_entrance_idx',
    on: 'payment_refunds (entrance_id) WHERE entrance_id IS NOT NULL',
  },
  { name: 'chargebacks_entrance_idx', on: 'chargebacks (entrance_id) WHERE entrance_id IS NOT NULL' },
];

/** Entrance fees of partners, which payments, refunds and chargebacks may be of too, while those are written. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(ENTRANCES);
  for (const table of TABLES_OF_PAYMENTS)
    await inShortLocks(
      query,
      `
      ALTER TABLE ${table}
        ADD COLUMN IF NOT EXISTS entrance_id uuid,
        DROP CONSTRAINT IF EXISTS ${table}_entrance_fkey,
        DROP CONSTRAINT IF EXISTS ${table}_payable_check;
      ALTER TABLE ${table}
        ADD CONSTRAINT ${table}_entrance_fkey FOREIGN KEY (entrance_id) REFERENCES partner_entrances (id) NOT VALID,
        ADD CONSTRAINT ${table}_payable_check
          CHECK (num_nonnulls(order_id, participation_id, entrance_id) = 1) NOT VALID;
    `,
    );
  // Each in a transaction of its own, after the one that locked the table.
  for (const table of TABLES_OF_PAYMENTS)
    for (const constraint of [`${table}_entrance_fkey`, `${table}_payable_check`])
      await query.sequelize.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint}`);
  for (const index of INDEXES) await buildIndex(query, index);
}

/** The money of entrances stays booked; the rows that explain it are gone. */
export async function down(query: QueryInterface): Promise<void> {
  for (const { name } of INDEXES) await dropIndex(query, name);
  for (const table of ['payment_refunds', 'chargebacks', 'payment_captures', 'payment_attempts'])
    await inShortLocks(
      query,
      `
      DELETE FROM ${table} WHERE order_id IS NULL AND participation_id IS NULL;
      ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_payable_check, DROP COLUMN IF EXISTS entrance_id,
        ADD CONSTRAINT ${table}_payable_check CHECK (num_nonnulls(order_id, participation_id) = 1);
    `,
    );
  await query.sequelize.query(
    'DROP TABLE IF EXISTS partner_entrances; DROP SEQUENCE IF EXISTS partner_entrance_numbers',
  );
}
