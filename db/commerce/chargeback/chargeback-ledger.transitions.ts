import type { Reference } from '../../../workflows/ledger/reference.rules';
import { clearingAccount } from '../../ledger/ledger.accounts';
import { postNewTransfer, postTransfer } from '../../ledger/ledger.transitions';
import type { Tx } from '../../sql/query';

/** A chargeback as it is booked. */
interface BookedChargeback {
  id: string;
  provider: string;
  amountMinor: number;
  currency: string;
}

/** Books money that the buyer's bank took from our account with the provider: our loss, unless the order is cancelled. */
export async function bookChargeback(tx: Tx, chargeback: BookedChargeback, at: string): Promise<void> {
  await bookLoss(tx, 'chargeback', chargeback, chargeback.amountMinor, at);
}

/** Books the return of the same money to us. */
export async function bookChargebackReturn(tx: Tx, chargeback: BookedChargeback, at: string): Promise<void> {
  await bookLoss(tx, 'chargeback-return', chargeback, -chargeback.amountMinor, at);
}

/** Books money of a cancelled order, taken and returned by the bank, as owed to the buyer again. */
export async function bookOwedAgain(
  tx: Tx,
  { id, currency }: BookedChargeback,
  amountMinor: number,
  at: string,
): Promise<void> {
  const entries = [
    { account: 'refunds' as const, amountMinor, currency },
    { account: 'losses' as const, amountMinor: -amountMinor, currency },
  ];
  await postTransfer(tx, {
    reference: { kind: 'chargeback-owed', subjectId: id },
    entries,
    at: new Date(at),
  });
}

/** A refund that a chargeback has paid, as it is booked. */
interface BookedRefund {
  id: string;
  chargebackId: string;
  amountMinor: number;
  currency: string;
}

/** Books an owed refund that reached the buyer by a chargeback: it is no longer owed, and the chargeback is no loss. */
export const bookRefundChargedBack = (tx: Tx, refund: BookedRefund, at: string): Promise<void> =>
  bookPaidByChargeback(tx, 'payment-refund-chargeback', refund, at);

/** Books a refund as owed again: the chargeback that had paid it, or another that counted for it, is returned. */
export const bookRefundOwedAgain = (tx: Tx, refund: BookedRefund, at: string): Promise<void> =>
  bookPaidByChargeback(
    tx,
    'payment-refund-chargeback-return',
    { ...refund, amountMinor: -refund.amountMinor },
    at,
  );

async function bookPaidByChargeback(
  tx: Tx,
  kind: 'payment-refund-chargeback' | 'payment-refund-chargeback-return',
  { id, chargebackId, currency, amountMinor }: BookedRefund,
  at: string,
): Promise<void> {
  const entries = [
    { account: 'refunds' as const, amountMinor: -amountMinor, currency },
    { account: 'losses' as const, amountMinor, currency },
  ];
  const reference: Reference = { kind, subjectId: id, part: chargebackId };
  await postNewTransfer(tx, { reference, entries, at: new Date(at) });
}

/** Books the provider's fee for the chargeback; `amountMinor` is negative when the provider returns some of it. */
export async function bookChargebackFee(
  tx: Tx,
  { id, provider }: Pick<BookedChargeback, 'id' | 'provider'>,
  {
    when,
    amountMinor,
    currency,
  }: { when: 'fee' | 'lost-fee' | 'return-fee'; amountMinor: number; currency: string },
  at: string,
): Promise<void> {
  const entries = [
    { account: 'provider_fees' as const, amountMinor: -amountMinor, currency },
    { account: clearingAccount(provider), amountMinor, currency },
  ];
  await postTransfer(tx, {
    reference: { kind: 'chargeback-fee', subjectId: id, part: when },
    entries,
    at: new Date(at),
  });
}

async function bookLoss(
  tx: Tx,
  kind: 'chargeback' | 'chargeback-return',
  { id, provider, currency }: BookedChargeback,
  amountMinor: number,
  at: string,
): Promise<void> {
  const entries = [
    { account: 'losses' as const, amountMinor: -amountMinor, currency },
    { account: clearingAccount(provider), amountMinor, currency },
  ];
  await postTransfer(tx, { reference: { kind, subjectId: id }, entries, at: new Date(at) });
}
