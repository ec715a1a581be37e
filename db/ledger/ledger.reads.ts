import { firstRow, rows, type Db } from '../sql/query';
import type { UserAccount } from './ledger.accounts';

export interface Balance {
  account: UserAccount;
  currency: string;
  balanceMinor: number;
}

export interface AccountEntry {
  id: number;
  account: UserAccount;
  currency: string;
  amountMinor: number;
  /** The business event behind it. */
  reference: string;
  createdAt: Date;
}

/** What a user's account holds, in minor units; 0 if nothing ever moved there. */
export async function balanceOf(
  db: Db,
  userId: string,
  account: UserAccount,
  currency: string,
): Promise<number> {
  const row = await firstRow<{ balanceMinor: number }>(
    db,
    `SELECT balance_minor FROM ledger_balances
       WHERE user_id = $1 AND account = $2 AND currency = $3`,
    [userId, account, currency],
  );
  return row?.balanceMinor ?? 0;
}

/** All that a user holds, by account and currency. */
export async function balances(db: Db, userId: string): Promise<Balance[]> {
  return rows<Balance>(
    db,
    `SELECT account, currency, balance_minor FROM ledger_balances
       WHERE user_id = $1 ORDER BY account, currency`,
    [userId],
  );
}

/** The newest movements of a user's accounts (or of one of them), newest first; `limit` null: all. */
export async function entriesOf(
  db: Db,
  userId: string,
  limit: number | null,
  account: UserAccount | null = null,
): Promise<AccountEntry[]> {
  return rows<AccountEntry>(
    db,
    `SELECT entry.id, entry.account, entry.currency, entry.amount_minor,
            transfer.reference, entry.created_at
       FROM ledger_entries entry JOIN ledger_transfers transfer ON transfer.id = entry.transfer_id
       WHERE entry.user_id = $1 AND ($3::text IS NULL OR entry.account = $3) ORDER BY entry.id DESC LIMIT $2`,
    [userId, limit, account],
  );
}
