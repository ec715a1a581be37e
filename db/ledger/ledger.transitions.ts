import { v7 } from 'uuid';
import { referenceText, type Reference } from '../../workflows/ledger/reference.rules';
import { violates } from '../sql/errors';
import { execute, type Tx } from '../sql/query';
import { table } from '../sql/table';
import type { LedgerLine } from './ledger.accounts';
import { LedgerEntry } from './ledger-entry.model';
import { LedgerTransfer } from './ledger-transfer.model';

export interface Transfer {
  /** The business event. The same event moves money once. */
  reference: Reference;
  /** Sum to zero per currency. Lines of zero are left out. */
  entries: readonly LedgerLine[];
  at: Date;
  /** Lets `partner_available` fall below zero: money is taken back that may have been paid out already. */
  clawback?: boolean;
}

/** A person's account does not hold what a transfer takes from it. */
export class InsufficientBalance extends Error {}

/**
 * Moves money. A repeat changes nothing, and neither does a transfer of nothing: both answer 'already posted'. Throws
 * InsufficientBalance, after which the transaction can only be rolled back. The database refuses lines that do not sum to
 * zero.
 */
export async function postTransfer(tx: Tx, transfer: Transfer): Promise<'posted' | 'already posted'> {
  const { reference, at, clawback = false } = transfer;
  const entries = transfer.entries.filter(({ amountMinor }) => amountMinor !== 0);
  if (entries.length === 0) return 'already posted';
  if (!entries.every(({ amountMinor }) => Number.isSafeInteger(amountMinor))) {
    throw new RangeError(`Transfer ${referenceText(reference)} has an amount that is no safe integer.`);
  }

  const id = v7();
  const isNew = await execute(
    tx,
    `INSERT INTO ledger_transfers (id, kind, subject_id, part, clawback, created_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (kind, subject_id, part) DO NOTHING`,
    [id, reference.kind, reference.subjectId, reference.part ?? '', clawback, at],
  );
  if (isNew === 0) {
    await requireSame(tx, { reference, entries, clawback });
    return 'already posted';
  }

  await insertEntries(tx, id, entries, at);
  return 'posted';
}

/** Posts the transfer of an event that the caller has just recorded: throws if its money was moved before. */
export async function postNewTransfer(tx: Tx, transfer: Transfer): Promise<void> {
  if ((await postTransfer(tx, transfer)) !== 'posted')
    throw new Error(`${referenceText(transfer.reference)} is booked already.`);
}

/** Inserts in one statement, since the database counts what a statement inserts; by users, whose rows the foreign key locks. */
async function insertEntries(
  tx: Tx,
  transferId: string,
  entries: readonly LedgerLine[],
  at: Date,
): Promise<void> {
  try {
    await execute(
      tx,
      `INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, hold_id, created_at)
         SELECT $1, account, user_id, currency, amount_minor, hold_id, $2
         FROM unnest($3::text[], $4::uuid[], $5::text[], $6::bigint[], $7::uuid[])
           AS line (account, user_id, currency, amount_minor, hold_id) ORDER BY user_id`,
      [
        transferId,
        at,
        entries.map(({ account }) => account),
        entries.map(({ userId }) => userId ?? null),
        entries.map(({ currency }) => currency),
        entries.map(({ amountMinor }) => amountMinor),
        entries.map(({ holdId }) => holdId ?? null),
      ],
    );
  } catch (error) {
    if (!violates(error, 'ledger_balances_not_negative')) throw error;
    throw new InsufficientBalance('The balance does not cover this amount.', { cause: error });
  }
}

/** Throws when two different movements have the same name: ignoring the second would lose it. */
async function requireSame(
  tx: Tx,
  claimed: Pick<Transfer, 'reference' | 'entries' | 'clawback'>,
): Promise<void> {
  const { kind, subjectId, part = '' } = claimed.reference;
  const stored = await table(tx, LedgerTransfer).one(['id', 'clawback'], { kind, subjectId, part });
  const lines = stored
    ? await table(tx, LedgerEntry).all(['account', 'userId', 'currency', 'amountMinor', 'holdId'], {
        transferId: stored.id,
      })
    : [];
  if (stored?.clawback !== claimed.clawback || fingerprint(lines) !== fingerprint(claimed.entries)) {
    throw new Error(`Transfer ${referenceText(claimed.reference)} was posted before with other entries.`);
  }
}

type Line = Pick<LedgerLine, 'account' | 'currency' | 'amountMinor'> & {
  userId?: string | null;
  holdId?: string | null;
};

function fingerprint(entries: readonly Line[]): string {
  return entries
    .map(({ account, userId, currency, amountMinor, holdId }) =>
      [account, userId ?? '', currency, amountMinor, holdId ?? ''].join(' '),
    )
    .sort()
    .join('\n');
}
