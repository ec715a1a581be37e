import { QueryTypes, type QueryInterface } from 'sequelize';
import { TABLES_OF_PAYMENTS } from './0053-payables';

/** An index of a table that is written to meanwhile; `on` is its table, columns and condition. */
export interface ConcurrentIndex {
  name: string;
  unique?: true;
  on: string;
}

/**
 * Builds an index outside a transaction, while rows are written. One that a kill left unfinished, which PostgreSQL keeps as
 * invalid, is built anew; a finished one stays.
 */
export async function buildIndex(
  query: QueryInterface,
  { name, unique, on }: ConcurrentIndex,
): Promise<void> {
  const unfinished = await query.sequelize.query(
    `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('${name}') AND NOT indisvalid`,
    { type: QueryTypes.SELECT },
  );
  if (unfinished.length > 0) await dropIndex(query, name);
  await query.sequelize.query(
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${on}`,
  );
}

/** Drops an index outside a transaction, if it is there. */
export async function dropIndex(query: QueryInterface, name: string): Promise<void> {
  await query.sequelize.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

const INDEXES: readonly ConcurrentIndex[] = [
  {
    name: 'payment_attempts_participation_sequence_key',
    unique: true,
    on: 'payment_attempts (participation_id, sequence) WHERE participation_id IS NOT NULL',
  },
  {
    name: 'payment_attempts_one_paid_participation_key',
    unique: true,
    on: `payment_attempts (participation_id) WHERE status = 'PAID' AND participation_id IS NOT NULL`,
  },
  {
    name: 'payment_captures_participation_idx',
    on: 'payment_captures (participation_id) WHERE participation_id IS NOT NULL',
  },
  {
    name: 'payment_captures_one_applied_participation_key',
    unique: true,
    on: 'payment_captures (participation_id) WHERE applied AND participation_id IS NOT NULL',
  },
  {
    name: 'payment_refunds_participation_idx',
    on: 'payment_refunds (participation_id) WHERE participation_id IS NOT NULL',
  },
  {
    name: 'chargebacks_participation_idx',
    on: 'chargebacks (participation_id) WHERE participation_id IS NOT NULL',
  },
];

/**
 * Checks the rows that were there before participations could be paid for, and adds for participations the indexes that
 * orders have, while reports of payments are still written.
 */
export async function up(query: QueryInterface): Promise<void> {
  for (const table of TABLES_OF_PAYMENTS)
    for (const constraint of [`${table}_participation_fkey`, `${table}_payable_check`])
      await query.sequelize.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint}`);
  for (const index of INDEXES) await buildIndex(query, index);
}

export async function down(query: QueryInterface): Promise<void> {
  for (const { name } of INDEXES) await dropIndex(query, name);
}
