import type { Attributes } from 'sequelize';
import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import type { LedgerCheckpoint } from './ledger-checkpoint.model';
import { LedgerReconciliation } from './reconciliation.model';

export type Findings = Pick<Attributes<LedgerReconciliation>, 'drifts' | 'unbalancedTransfers'>;

/** The entry that all checkpoints reach; 0 before the first. Every entry up to it is committed. */
const CHECKPOINT_ENTRY = '(SELECT coalesce(max(entry_id), 0) FROM ledger_checkpoints)';

/** The whole ledger is compared this often; the schedule runs daily, a little earlier or later. */
const WHOLE_EVERY = `interval '6 days 12 hours'`;

/**
 * Compares balances with entries in the transaction's snapshot, and records differences under `at`. Compared before with
 * the same `at`: returns the findings of that time.
 *
 * Once a week the whole ledger is compared. On other days only accounts and transfers with entries that no earlier
 * comparison can have seen: entries never change, and a balance changes only with an entry, so the rest is unchanged. A
 * write past the ledger's triggers and without an entry is found by the weekly comparison.
 */
export async function reconcile(tx: Tx, at: Date): Promise<Findings> {
  const reconciliations = table(tx, LedgerReconciliation);
  const before = await reconciliations.one(['drifts', 'unbalancedTransfers'], { comparedAt: at });
  if (before) return before;
  const reach = await reachOf(tx, at);
  const behind = reach.whole ? null : reach.seenEntryId;
  const drifts = await recordDrifts(tx, at, behind);
  const unbalanced = await unbalancedTransfers(tx, behind);
  const { whole, lastEntryId, transactionId, settledEntryId } = reach;
  await advanceCheckpoints(tx, settledEntryId);
  const wrong = whole ? await correctCheckpoints(tx, at) : 0;
  const findings = { drifts: drifts + wrong, unbalancedTransfers: unbalanced };
  const seen = { whole, lastEntryId, transactionId, settledEntryId };
  await reconciliations.insert({ comparedAt: at, ...seen, ...findings });
  return findings;
}

type Reach = Pick<
  Attributes<LedgerReconciliation>,
  'whole' | 'lastEntryId' | 'transactionId' | 'settledEntryId'
> & {
  /** Entries up to this one were committed and seen by the last comparison. */
  seenEntryId: number;
};

/**
 * The range of this comparison. Ids of entries are assigned in one order and committed in another, so
 * an entry below the highest may appear later. But an entry's transaction has its number before the entry has its id
 * (the transfer is inserted first), and a comparison has its number after its snapshot: when all transactions below the number
 * of an earlier comparison have ended, every entry up to the highest of that comparison is settled. Not the end of
 * its snapshot, above which transactions may be running.
 */
async function reachOf(tx: Tx, at: Date): Promise<Reach> {
  const found = await firstRow<Reach>(
    tx,
    `SELECT NOT EXISTS (SELECT 1 FROM ledger_reconciliations
              WHERE whole AND compared_at > $1::timestamptz - ${WHOLE_EVERY}) AS whole,
            coalesce((SELECT max(settled_entry_id) FROM ledger_reconciliations), 0) AS seen_entry_id,
            coalesce((SELECT max(id) FROM ledger_entries), 0) AS last_entry_id,
            pg_current_xact_id()::text::bigint AS transaction_id,
            coalesce((SELECT max(last_entry_id) FROM ledger_reconciliations
              WHERE transaction_id <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint), 0) AS settled_entry_id`,
    [at],
  );
  if (!found) throw new Error('PostgreSQL did not say how far the ledger goes.');
  return found;
}

/** Records every balance that differs from the sum of its entries; with `behind`, of accounts with later entries. */
async function recordDrifts(tx: Tx, at: Date, behind: number | null): Promise<number> {
  return execute(
    tx,
    `WITH fresh AS (SELECT DISTINCT user_id, account, currency FROM ledger_entries
                     WHERE id > $2::bigint AND user_id IS NOT NULL),
          sums AS (SELECT user_id, account, currency, sum(amount_minor) AS entries_minor
                     FROM ledger_entries WHERE user_id IS NOT NULL
                       AND ($2::bigint IS NULL OR (user_id, account, currency) IN (SELECT * FROM fresh))
                     GROUP BY user_id, account, currency)
     INSERT INTO ledger_drifts (id, user_id, account, currency, balance_minor, entries_minor, found_at)
       SELECT gen_random_uuid(), user_id, account, currency, coalesce(balance_minor, 0), coalesce(entries_minor, 0), $1
       FROM (SELECT * FROM ledger_balances
              WHERE $2::bigint IS NULL OR (user_id, account, currency) IN (SELECT * FROM fresh)) AS balances
       FULL JOIN sums USING (user_id, account, currency)
       WHERE coalesce(balance_minor, 0) <> coalesce(entries_minor, 0)`,
    [at, behind],
  );
}

/**
 * Brings the balances of the platform's accounts up to an entry below which all are committed: by days nothing closes, since an
 * entry of yesterday may be committed today. Never back: in a database that was restored on another server, whose
 * transactions have lower numbers, no entry is known to be settled for a while.
 */
async function advanceCheckpoints(tx: Tx, settledEntryId: LedgerCheckpoint['entryId']): Promise<void> {
  await execute(
    tx,
    `INSERT INTO ledger_checkpoints AS checkpoint (account, currency, entry_id, balance_minor)
     SELECT account, currency, $1::bigint, sum(minor)::bigint FROM (
       SELECT account, currency, amount_minor AS minor FROM ledger_entries
        WHERE user_id IS NULL AND id > ${CHECKPOINT_ENTRY} AND id <= $1::bigint
       UNION ALL SELECT account, currency, 0 FROM ledger_checkpoints) AS later
      GROUP BY account, currency
     ON CONFLICT (account, currency) DO UPDATE
       SET entry_id = excluded.entry_id, balance_minor = checkpoint.balance_minor + excluded.balance_minor
       WHERE excluded.entry_id > checkpoint.entry_id`,
    [settledEntryId],
  );
}

/** Records and corrects every checkpoint that differs from the sum of the entries up to it, or is missing. */
async function correctCheckpoints(tx: Tx, at: Date): Promise<number> {
  return execute(
    tx,
    `WITH sums AS (SELECT account, currency, sum(amount_minor)::bigint AS entries_minor FROM ledger_entries
                    WHERE user_id IS NULL AND id <= ${CHECKPOINT_ENTRY} GROUP BY account, currency),
          wrong AS (SELECT account, currency, coalesce(balance_minor, 0) AS balance_minor,
                           coalesce(entries_minor, 0) AS entries_minor
                      FROM ledger_checkpoints FULL JOIN sums USING (account, currency)
                     WHERE coalesce(balance_minor, 0) <> coalesce(entries_minor, 0)),
          corrected AS (INSERT INTO ledger_checkpoints (account, currency, entry_id, balance_minor)
                        SELECT account, currency, ${CHECKPOINT_ENTRY}, entries_minor FROM wrong
                        ON CONFLICT (account, currency) DO UPDATE SET balance_minor = excluded.balance_minor)
     INSERT INTO ledger_drifts (id, account, currency, balance_minor, entries_minor, found_at)
       SELECT gen_random_uuid(), account, currency, balance_minor, entries_minor, $1 FROM wrong`,
    [at],
  );
}

/** Counts transfers that do not sum to zero; with `behind`, of those with later entries. */
async function unbalancedTransfers(tx: Tx, behind: number | null): Promise<number> {
  const found = await firstRow<{ transfers: number }>(
    tx,
    `SELECT count(DISTINCT transfer_id) AS transfers FROM (
       SELECT transfer_id FROM ledger_entries
        WHERE $1::bigint IS NULL OR transfer_id IN (SELECT transfer_id FROM ledger_entries WHERE id > $1::bigint)
        GROUP BY transfer_id, currency HAVING sum(amount_minor) <> 0
     ) AS unbalanced`,
    [behind],
  );
  return found?.transfers ?? 0;
}
