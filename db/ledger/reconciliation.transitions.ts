import { execute, firstRow, type Tx } from '../sql';

export interface Findings {
  drifts: number;
  unbalancedTransfers: number;
}

/**
 * Compares all balances with all entries, as they stood at one moment, and records what differs under `at`. Repeated
 * with the same `at`, it records nothing new.
 */
export async function reconcile(tx: Tx, at: Date): Promise<Findings> {
  await execute(tx, 'SET LOCAL statement_timeout = 0'); // Reads the whole ledger; nobody waits for it.
  const before = await driftsFoundAt(tx, at);
  const drifts = before === 0 ? await recordDrifts(tx, at) : before;
  return { drifts, unbalancedTransfers: await unbalancedTransfers(tx) };
}

async function driftsFoundAt(tx: Tx, at: Date): Promise<number> {
  const found = await firstRow<{ drifts: number }>(
    tx,
    'SELECT count(*) AS drifts FROM ledger_drifts WHERE found_at = $1',
    [at],
  );
  return found?.drifts ?? 0;
}

async function recordDrifts(tx: Tx, at: Date): Promise<number> {
  return execute(
    tx,
    `INSERT INTO ledger_drifts (id, user_id, account, currency, balance_minor, entries_minor, found_at)
       SELECT gen_random_uuid(), user_id, account, currency, coalesce(balance_minor, 0), coalesce(entries_minor, 0), $1
       FROM ledger_balances
       FULL JOIN (
         SELECT user_id, account, currency, sum(amount_minor) AS entries_minor
         FROM ledger_entries WHERE user_id IS NOT NULL GROUP BY user_id, account, currency
       ) AS entries USING (user_id, account, currency)
       WHERE coalesce(balance_minor, 0) <> coalesce(entries_minor, 0)`,
    [at],
  );
}

async function unbalancedTransfers(tx: Tx): Promise<number> {
  const found = await firstRow<{ transfers: number }>(
    tx,
    `SELECT count(DISTINCT transfer_id) AS transfers FROM (
       SELECT transfer_id FROM ledger_entries GROUP BY transfer_id, currency HAVING sum(amount_minor) <> 0
     ) AS unbalanced`,
  );
  return found?.transfers ?? 0;
}
