import { SOURCE_OF, type PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import type { ReferenceKind } from '../../../workflows/ledger/reference.rules';
import { clearingAccount, type LedgerLine } from '../../ledger/ledger.accounts';
import { postTransfer } from '../../ledger/ledger.transitions';
import type { Tx } from '../../sql/query';
import type { PayoutRow } from './payout.transitions';

type Money = Pick<PayoutRow, 'id' | 'kind' | 'userId' | 'amountMinor' | 'currency'>;

const REFERENCE_OF = { PARTNER: 'payout', WALLET: 'wallet-withdrawal' } as const satisfies Record<
  PayoutKind,
  ReferenceKind
>;

/** Moves the amount of a payout between its owner's hold and another account, named after the event. */
async function book(
  tx: Tx,
  { id, kind, userId, amountMinor, currency }: Money,
  {
    event,
    from,
    to,
    at,
  }: { event: string; from: LedgerLine['account']; to: LedgerLine['account']; at: Date },
): Promise<void> {
  const line = (account: LedgerLine['account'], minor: number): LedgerLine => {
    const side = { currency, amountMinor: minor };
    if (account === 'payout_hold') return { ...side, account, userId, holdId: id };
    return account === SOURCE_OF[kind] ? { ...side, account, userId } : ({ ...side, account } as LedgerLine);
  };
  await postTransfer(tx, {
    reference: { kind: REFERENCE_OF[kind], subjectId: id, part: event },
    entries: [line(from, -amountMinor), line(to, amountMinor)],
    at,
  });
}

/** Holds the amount of a request. Throws InsufficientBalance. */
export const bookHold = (tx: Tx, payout: Money, at: Date): Promise<void> =>
  book(tx, payout, { event: 'hold', from: SOURCE_OF[payout.kind], to: 'payout_hold', at });

/** Books a transfer that has arrived: its provider had our money. */
export const bookPaidOut = (tx: Tx, payout: Money, provider: string, at: Date): Promise<void> =>
  book(tx, payout, { event: 'completed', from: 'payout_hold', to: clearingAccount(provider), at });

/** Gives the amount back to the balance that it came from. */
export const bookReturned = (tx: Tx, payout: Money, at: Date): Promise<void> =>
  book(tx, payout, { event: 'returned', from: 'payout_hold', to: SOURCE_OF[payout.kind], at });

/** Books an amount that its owner does not get back. */
export const bookForfeited = (tx: Tx, payout: Money, at: Date): Promise<void> =>
  book(tx, payout, { event: 'forfeited', from: 'payout_hold', to: 'forfeited', at });
