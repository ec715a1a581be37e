import { firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { clearingAccount } from '../ledger.accounts';
import { LedgerBalance } from '../ledger-balance.model';
import { postTransfer } from '../ledger.transitions';
import { isOf } from '../reference-columns';
import type { TopUpRow } from './top-up.reads';

type Booked = Pick<TopUpRow, 'id' | 'userId' | 'currency'>;

/** Books a top-up that a provider or a bank has paid: the money is in the wallet. */
export async function bookTopUp(
  tx: Tx,
  { id, userId, currency, amountMinor }: Booked & Pick<TopUpRow, 'amountMinor'>,
  provider: string,
  at: Date,
): Promise<void> {
  await postTransfer(tx, {
    reference: { kind: 'top-up', subjectId: id },
    entries: [
      { account: clearingAccount(provider), currency, amountMinor: -amountMinor },
      { account: 'wallet', userId, currency, amountMinor },
    ],
    at,
  });
}

/**
 * Takes from the wallet what a chargeback took of a top-up, which is booked as a loss already, as far as the wallet holds it;
 * returns the amount. The wallet is locked, so that nothing spends the money meanwhile.
 */
export async function bookTakenBack(
  tx: Tx,
  { id, userId, currency }: Booked,
  { chargebackId, amountMinor: chargedBackMinor }: { chargebackId: string; amountMinor: number },
  at: Date,
): Promise<number> {
  const wallet = await table(tx, LedgerBalance).one(
    ['balanceMinor'],
    { userId, account: 'wallet', currency },
    { lock: 'NO_KEY_UPDATE' },
  );
  const amountMinor = Math.max(0, Math.min(chargedBackMinor, wallet?.balanceMinor ?? 0));
  await postTransfer(tx, {
    reference: { kind: 'top-up-chargeback', subjectId: id, part: chargebackId },
    entries: [
      { account: 'wallet', userId, currency, amountMinor: -amountMinor },
      { account: 'losses', currency, amountMinor },
    ],
    at,
  });
  return amountMinor;
}

/** The amount that was taken from the wallet for a chargeback of a top-up. */
export async function takenBackMinor(tx: Tx, topUpId: string, chargebackId: string): Promise<number> {
  const taken = await firstRow<{ minor: number }>(
    tx,
    `SELECT -e.amount_minor AS minor FROM ledger_transfers t
       JOIN ledger_entries e ON e.transfer_id = t.id AND e.account = 'wallet'
     WHERE ${isOf('t', 'top-up-chargeback')} AND t.subject_id = $1 AND t.part = $2`,
    [topUpId, chargebackId],
  );
  return taken?.minor ?? 0;
}

/** Returns to the wallet what was taken from it for a chargeback that is returned; returns the amount. */
export async function bookGivenBack(
  tx: Tx,
  { id, userId, currency }: Booked,
  chargebackId: string,
  at: Date,
): Promise<number> {
  const amountMinor = await takenBackMinor(tx, id, chargebackId);
  await postTransfer(tx, {
    reference: { kind: 'top-up-chargeback-return', subjectId: id, part: chargebackId },
    entries: [
      { account: 'losses', currency, amountMinor: -amountMinor },
      { account: 'wallet', userId, currency, amountMinor },
    ],
    at,
  });
  return amountMinor;
}
