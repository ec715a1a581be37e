import type { QueryInterface } from 'sequelize';
import { inShortLocks, TABLES_OF_PAYMENTS } from './0053-payables';
import { buildIndex, dropIndex, type ConcurrentIndex } from './0054-payables-checked';

const TOP_UPS = `
  CREATE SEQUENCE IF NOT EXISTS top_up_numbers;

  -- Money that users pay into their wallets.
  CREATE TABLE IF NOT EXISTS top_ups (
    id uuid PRIMARY KEY,
    number text NOT NULL CONSTRAINT top_ups_number_key UNIQUE,
    user_id uuid NOT NULL CONSTRAINT top_ups_user_fkey REFERENCES users (id),
    status text NOT NULL CONSTRAINT top_ups_status_check CHECK (status IN ('PENDING_PAYMENT', 'PAID', 'CANCELLED')),
    amount_minor bigint NOT NULL CONSTRAINT top_ups_amount_check CHECK (amount_minor BETWEEN 1 AND 999999999999),
    currency text NOT NULL CONSTRAINT top_ups_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
    payment_method text NOT NULL CONSTRAINT top_ups_payment_method_check
      CHECK (payment_method IN ('CARD', 'EWALLET', 'BANK_TRANSFER')),
    payment_status text NOT NULL CONSTRAINT top_ups_payment_status_check
      CHECK (payment_status IN ('PENDING', 'PAID', 'FAILED', 'REFUNDED')),
    payment_expires_at timestamptz NOT NULL,
    paid_at timestamptz,
    ended_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT top_ups_paid_check CHECK ((status = 'PAID') = (paid_at IS NOT NULL)
      AND (status = 'PAID') = (payment_status = 'PAID')),
    CONSTRAINT top_ups_ended_check CHECK ((status = 'PENDING_PAYMENT') = (ended_at IS NULL))
  );
  CREATE INDEX IF NOT EXISTS top_ups_due_idx ON top_ups (payment_expires_at, id) WHERE status = 'PENDING_PAYMENT';
  CREATE INDEX IF NOT EXISTS top_ups_user_idx ON top_ups (user_id, created_at DESC, id);
  CREATE INDEX IF NOT EXISTS top_ups_created_idx ON top_ups (created_at DESC, id);
`;

const INDEXES: readonly ConcurrentIndex[] = [
  {
    name: 'payment_attempts_top_up_sequence_key',
    unique: true,
    on: 'payment_attempts (top_up_id, sequence) WHERE top_up_id IS NOT NULL',
  },
  {
    name: 'payment_attempts_one_paid_top_up_key',
    unique: true,
    on: `payment_attempts (top_up_id) WHERE status = 'PAID' AND top_up_id IS NOT NULL`,
  },
  {
    name: 'payment_captures_top_up_idx',
    on: 'payment_captures (top_up_id) WHERE top_up_id IS NOT NULL',
  },
  {
    name: 'payment_captures_one_applied_top_up_key',
    unique: true,
    on: 'payment_captures (top_up_id) WHERE applied AND top_up_id IS NOT NULL',
  },
  {
    name: 'payment_refunds_top_up_idx',
    on: 'payment_refunds (top_up_id) WHERE top_up_id IS NOT NULL',
  },
  { name: 'chargebacks_top_up_idx', on: 'chargebacks (top_up_id) WHERE top_up_id IS NOT NULL' },
];

/** Top-ups of wallets, which payments, refunds and chargebacks may be of too, while those are written. */
export async function up(query: QueryInterface): Promise<void> {
  await inShortLocks(query, TOP_UPS);
  for (const table of TABLES_OF_PAYMENTS)
    await inShortLocks(
      query,
      `
      ALTER TABLE ${table}
        ADD COLUMN IF NOT EXISTS top_up_id uuid,
        DROP CONSTRAINT IF EXISTS ${table}_top_up_fkey,
        DROP CONSTRAINT IF EXISTS ${table}_payable_check;
      ALTER TABLE ${table}
        ADD CONSTRAINT ${table}_top_up_fkey FOREIGN KEY (top_up_id) REFERENCES top_ups (id) NOT VALID,
        ADD CONSTRAINT ${table}_payable_check
          CHECK (num_nonnulls(order_id, participation_id, entrance_id, top_up_id) = 1) NOT VALID;
    `,
    );
  // Each in a transaction of its own, after the one that locked the table.
  for (const table of TABLES_OF_PAYMENTS)
    for (const constraint of [`${table}_top_up_fkey`, `${table}_payable_check`])
      await query.sequelize.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint}`);
  for (const index of INDEXES) await buildIndex(query, index);
}

/** The money of top-ups stays booked; the rows that explain it are gone. */
export async function down(query: QueryInterface): Promise<void> {
  for (const { name } of INDEXES) await dropIndex(query, name);
  for (const table of ['payment_refunds', 'chargebacks', 'payment_captures', 'payment_attempts'])
    await inShortLocks(
      query,
      `
      DELETE FROM ${table} WHERE order_id IS NULL AND participation_id IS NULL AND entrance_id IS NULL;
      ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_payable_check, DROP COLUMN IF EXISTS top_up_id,
        ADD CONSTRAINT ${table}_payable_check CHECK (num_nonnulls(order_id, participation_id, entrance_id) = 1);
    `,
    );
  await inShortLocks(query, 'DROP TABLE IF EXISTS top_ups; DROP SEQUENCE IF EXISTS top_up_numbers');
}
