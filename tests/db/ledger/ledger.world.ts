import { v7 } from 'uuid';
import type { LedgerLine, UserAccount } from '../../../db/ledger/ledger.accounts';
import { execute, rows, type Db } from '../../../db/sql/query';
import type { Reference } from '../../../workflows/ledger/reference.rules';

/** A person whom the ledger may owe money. */
export async function addUser(db: Db): Promise<string> {
  const id = v7();
  await execute(
    db,
    `INSERT INTO users (id, region, email, status, first_name, last_name, created_at, updated_at)
       VALUES ($1, 'EU', $2, 'ACTIVE', 'Ada', 'Lovelace', now(), now())`,
    [id, `${id}@example.com`],
  );
  return id;
}

export const at = new Date('2026-03-01T12:00:00Z');

/** The name of an event that is like no other. */
export const named = (subjectId: string = v7()): Reference => ({ kind: 'seed-wallet', subjectId });

/** Money that arrives from outside. */
export const paidIn = (userId: string, amountMinor: number, currency = 'USD'): LedgerLine[] => [
  { account: 'payments', currency, amountMinor: -amountMinor },
  { account: 'wallet', userId, currency, amountMinor },
];

/** Money that a user hands to another. */
export const handedOver = (
  from: string,
  to: string,
  amountMinor: number,
  account: Exclude<UserAccount, 'payout_hold'> = 'wallet',
): LedgerLine[] => [
  { account, userId: from, currency: 'USD', amountMinor: -amountMinor },
  { account, userId: to, currency: 'USD', amountMinor },
];

/** Rules that always hold; each list names the violations. */
export async function brokenInvariants(db: Db): Promise<object> {
  return {
    unbalanced: await rows(
      db,
      `SELECT transfer_id, currency, sum(amount_minor) FROM ledger_entries
         GROUP BY transfer_id, currency HAVING sum(amount_minor) <> 0`,
    ),
    empty: await rows(
      db,
      'SELECT id FROM ledger_transfers t WHERE NOT EXISTS (SELECT FROM ledger_entries WHERE transfer_id = t.id)',
    ),
    drifting: await rows(
      db,
      `SELECT user_id, account, currency, balance_minor, total
         FROM ledger_balances FULL JOIN (
           SELECT user_id, account, currency, sum(amount_minor)::bigint AS total FROM ledger_entries
             WHERE user_id IS NOT NULL GROUP BY user_id, account, currency
         ) entries USING (user_id, account, currency)
         WHERE balance_minor IS DISTINCT FROM coalesce(total, 0)`,
    ),
    negative: await rows(
      db,
      `SELECT * FROM ledger_balances balance WHERE balance_minor < 0 AND (account <> 'partner_available' OR NOT EXISTS (
         SELECT FROM ledger_entries entry JOIN ledger_transfers transfer ON transfer.id = entry.transfer_id
           WHERE transfer.clawback AND entry.user_id = balance.user_id AND entry.account = balance.account))`,
    ),
  };
}

export const nothingBroken = { unbalanced: [], empty: [], drifting: [], negative: [] };
