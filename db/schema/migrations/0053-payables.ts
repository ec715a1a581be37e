import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type QueryInterface } from 'sequelize';

/** The tables of payments, each of whose rows belongs to one order or to one participation. */
export const TABLES_OF_PAYMENTS = [
  'payment_attempts',
  'payment_captures',
  'payment_refunds',
  'chargebacks',
] as const;

const LOCK_NOT_AVAILABLE = '55P03';
const PAUSE_MS = 1_000;
const MOST_TRIES = 600;

/**
 * Carries out statements in a transaction of their own that waits two seconds for a lock of a table, and tries again for about
 * half an hour: who waits for such a lock makes readers wait who come later.
 */
export async function inShortLocks(query: QueryInterface, statements: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await query.sequelize.transaction(async (transaction) => {
        await query.sequelize.query(`SET LOCAL lock_timeout = '2s'; ${statements}`, { transaction });
      });
      return;
    } catch (error) {
      const code = error instanceof DatabaseError ? (error.parent as { code?: string }).code : undefined;
      if (code !== LOCK_NOT_AVAILABLE || tries === MOST_TRIES) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/**
 * Payments, refunds and chargebacks may be of a participation: one table after the other, so that no reader of one waits for
 * the lock of another. The constraints are checked against the rows that are there by the next migration: here, that would
 * hold locks on the tables that payments are written to.
 */
export async function up(query: QueryInterface): Promise<void> {
  for (const table of TABLES_OF_PAYMENTS)
    await inShortLocks(
      query,
      `
      ALTER TABLE ${table}
        ADD COLUMN IF NOT EXISTS participation_id uuid,
        ALTER COLUMN order_id DROP NOT NULL,
        DROP CONSTRAINT IF EXISTS ${table}_participation_fkey,
        DROP CONSTRAINT IF EXISTS ${table}_payable_check;
      ALTER TABLE ${table}
        ADD CONSTRAINT ${table}_participation_fkey FOREIGN KEY (participation_id) REFERENCES participations (id) NOT VALID,
        ADD CONSTRAINT ${table}_payable_check CHECK (num_nonnulls(order_id, participation_id) = 1) NOT VALID;
    `,
    );
}

/** The money of participations stays booked; the rows that explain it are gone. */
export async function down(query: QueryInterface): Promise<void> {
  for (const table of ['payment_refunds', 'chargebacks', 'payment_captures', 'payment_attempts'])
    await inShortLocks(
      query,
      `
      DELETE FROM ${table} WHERE order_id IS NULL;
      ALTER TABLE ${table} DROP COLUMN IF EXISTS participation_id, ALTER COLUMN order_id SET NOT NULL;
    `,
    );
}
