import type { Attributes } from 'sequelize';
import { rows, type Db } from '../sql/query';
import { table } from '../sql/table';
import type { UserAccount } from './ledger.accounts';
import { subjectOf } from './reference-columns';
import { LedgerBalance } from './ledger-balance.model';
import type { LedgerEntry } from './ledger-entry.model';
import type { LedgerTransfer } from './ledger-transfer.model';

export type Balance = Pick<Attributes<LedgerBalance>, 'account' | 'currency' | 'balanceMinor'>;

/** A movement of a user's account, and the business event behind it. */
export type AccountEntry = Pick<Attributes<LedgerEntry>, 'id' | 'currency' | 'amountMinor' | 'createdAt'> &
  Pick<Attributes<LedgerTransfer>, 'kind' | 'subjectId' | 'part'> & {
    account: UserAccount;
    /** The order that the event is about; null for any other. */
    orderId: string | null;
    orderNumber: string | null;
    /** The participation that the event is about; null for any other. */
    participationId: string | null;
    participationNumber: string | null;
    /** The entrance fee that the event is about; null for any other. */
    entranceId: string | null;
    entranceNumber: string | null;
    /** The top-up that the event is about; null for any other. */
    topUpId: string | null;
    topUpNumber: string | null;
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

const REFUND = subjectOf('transfer', 'refund-repayment');
const ORDER = subjectOf('transfer', 'order-hold', 'order-release', 'order-repayment');
const WITHDRAWAL = subjectOf('transfer', 'withdrawal', 'withdrawal-arrival', 'withdrawal-credit');
const MOVEMENT = subjectOf('transfer', 'profit', 'provider-payout');
const PARTICIPATION_KINDS = [
  'participation-payment',
  'participation-maturity',
  'participation-payout',
] as const;
const PARTICIPATION = subjectOf('transfer', ...PARTICIPATION_KINDS);
const TOP_UP = subjectOf('transfer', 'top-up', 'top-up-chargeback', 'top-up-chargeback-return');

/** The newest `$2` movements of user `$1` that fit a condition over `entry`, newest first. */
const newestEntries = (condition: string): string => `
  SELECT entry.id, entry.account, entry.currency, entry.amount_minor,
         transfer.kind, transfer.subject_id, transfer.part, entry.created_at, o.id AS order_id, o.number AS order_number,
         p.id AS participation_id, p.number AS participation_number,
         f.id AS entrance_id, f.number AS entrance_number, w.id AS top_up_id, w.number AS top_up_number
    FROM ledger_entries entry JOIN ledger_transfers transfer ON transfer.id = entry.transfer_id
      LEFT JOIN refund_requests request ON request.id = ${REFUND}
      LEFT JOIN orders o ON o.id = coalesce(request.order_id, ${ORDER})
      LEFT JOIN investment_withdrawals withdrawal ON withdrawal.id = ${WITHDRAWAL}
      LEFT JOIN investment_transactions movement ON movement.id = ${MOVEMENT}
      LEFT JOIN participations p
        ON p.id = coalesce(withdrawal.participation_id, movement.participation_id, ${PARTICIPATION})
      LEFT JOIN partner_entrances f ON f.id = ${subjectOf('transfer', 'entrance')}
      LEFT JOIN top_ups w ON w.id = ${TOP_UP}
    WHERE entry.user_id = $1 AND ${condition} ORDER BY entry.id DESC LIMIT $2`;

const OF_ALL_ACCOUNTS = newestEntries('true');
/** An account with few movements is read by its own index, not among all movements of the user. */
const OF_ONE_ACCOUNT = newestEntries('entry.account = $3');

/** The newest movements of a user's accounts (or of one of them), newest first. */
export const entriesOf = (
  db: Db,
  userId: string,
  limit: number,
  account: UserAccount | null = null,
): Promise<AccountEntry[]> =>
  account === null
    ? rows<AccountEntry>(db, OF_ALL_ACCOUNTS, [userId, limit])
    : rows<AccountEntry>(db, OF_ONE_ACCOUNT, [userId, limit, account]);
