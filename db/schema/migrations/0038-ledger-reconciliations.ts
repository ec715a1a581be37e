import type { QueryInterface } from 'sequelize';

/** Comparisons of balances with entries, each with how far it saw; without one the next compares the whole ledger. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE ledger_reconciliations (
      compared_at timestamptz PRIMARY KEY,
      whole boolean NOT NULL,
      drifts integer NOT NULL,
      unbalanced_transfers integer NOT NULL,
      last_entry_id bigint NOT NULL,
      next_transaction bigint NOT NULL,
      settled_entry_id bigint NOT NULL,
      CONSTRAINT ledger_reconciliations_counts_check CHECK (drifts >= 0 AND unbalanced_transfers >= 0),
      CONSTRAINT ledger_reconciliations_settled_check CHECK (settled_entry_id <= last_entry_id)
    );
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query('DROP TABLE ledger_reconciliations');
}
