import { clearingAccount, type LedgerLine } from '../../ledger/ledger.accounts';
import { postTransfer } from '../../ledger/ledger.transitions';
import type { Tx } from '../../sql/query';
import type { Withdrawal } from './withdrawal.transitions';

/**
 * The ledger entries of money that leaves. What is on its way is in its owner's `payout_hold`: the net amounts of
 * withdrawals that are PROCESSING.
 */

type Money = Pick<Withdrawal, 'id' | 'userId' | 'currency' | 'netMinor'>;

/** The account of its owner that the net amount of a withdrawal goes to at its request: the wallet, or the hold. None for nothing. */
export function withdrawalLines(
  { id, userId, currency, netMinor }: Money,
  isTransfer: boolean,
): LedgerLine[] {
  if (netMinor === 0) return [];
  const side = { userId, currency, amountMinor: netMinor };
  return [isTransfer ? { ...side, account: 'payout_hold', holdId: id } : { ...side, account: 'wallet' }];
}

/** Books a transfer that has arrived: its provider had our money. */
export async function bookArrived(
  tx: Tx,
  { id, userId, currency, netMinor }: Money,
  provider: string,
  at: Date,
): Promise<void> {
  await postTransfer(tx, {
    reference: { kind: 'withdrawal-arrival', subjectId: id },
    entries: [
      { account: 'payout_hold', holdId: id, userId, currency, amountMinor: -netMinor },
      { account: clearingAccount(provider), currency, amountMinor: netMinor },
    ],
    at,
  });
}

/** Books a transfer that was refused: its owner has the money in the wallet. */
export async function bookCredited(
  tx: Tx,
  { id, userId, currency, netMinor }: Money,
  at: Date,
): Promise<void> {
  await postTransfer(tx, {
    reference: { kind: 'withdrawal-credit', subjectId: id },
    entries: [
      { account: 'payout_hold', holdId: id, userId, currency, amountMinor: -netMinor },
      { account: 'wallet', userId, currency, amountMinor: netMinor },
    ],
    at,
  });
}
