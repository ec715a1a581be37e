import type { Attributes } from 'sequelize';
import { rows, type Db } from '../sql/query';
import { table } from '../sql/table';
import type { UserAccount } from './ledger.accounts';
import { LedgerBalance } from './ledger-balance.model';
import type { LedgerEntry } from './ledger-entry.model';

export type Balance = Pick<Attributes<LedgerBalance>, 'account' | 'currency' | 'balanceMinor'>;

/** A movement of a user's account; `reference` names the business event behind it. */
export type AccountEntry = Pick<Attributes<LedgerEntry>, 'id' | 'currency' | 'amountMinor' | 'createdAt'> & {
  account: UserAccount;
  reference: string;
  /** The order that the event is about; null for any other. */
  orderId: string | null;
  orderNumber: string | null;
};

/** The balance of a user's account, in minor units; 0 if nothing ever moved there. */
export async function balanceOf(
  db: Db,
  userId: string,
  account: UserAccount,
  currency: string,
): Promise<number> {
  const row = await table(db, LedgerBalance).one(['balanceMinor'], { userId, account, currency });
  return row?.balanceMinor ?? 0;
}

/** All balances of a user, by account and currency. */
export const balances = (db: Db, userId: string): Promise<Balance[]> =>
  table(db, LedgerBalance).all(
    ['account', 'currency', 'balanceMinor'],
    { userId },
    {
      order: [
        ['account', 'ASC'],
        ['currency', 'ASC'],
      ],
    },
  );

/** The id after this word at the beginning of a reference; null without one. A fragment over `transfer`. */
const idIn = (word: string): string => `substring(transfer.reference from '^${word}:([0-9a-f-]{36})')::uuid`;

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
            transfer.reference, entry.created_at, o.id AS order_id, o.number AS order_number
       FROM ledger_entries entry JOIN ledger_transfers transfer ON transfer.id = entry.transfer_id
         LEFT JOIN refund_requests request ON request.id = ${idIn('refund')}
         LEFT JOIN orders o ON o.id = coalesce(request.order_id, ${idIn('order')})
       WHERE entry.user_id = $1 AND ($3::text IS NULL OR entry.account = $3) ORDER BY entry.id DESC LIMIT $2`,
    [userId, limit, account],
  );
}
