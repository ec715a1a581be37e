import { v7 } from 'uuid';
import { audited } from '../../../../db/administration/audit/audit.writes';
import { lockProvider } from '../../../../db/investment/provider/provider.reads';
import type { ProviderPaymentRow } from '../../../../db/investment/provider-payment/provider-payment.reads';
import {
  bookProviderPayment,
  paymentByReference,
  standingOf,
  takeReference,
} from '../../../../db/investment/provider-payment/provider-payment.writes';
import type { Policy } from '../../../../db/policy/config';
import type { Db, Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { amountInWords } from '../../../../workflows/commerce/money.rules';
import { businessRefusal } from '../../../../workflows/errors';
import type { Actor } from '../../actor';
import { noSuchProvider } from '../no-such-provider';

/** A payment as it was seen on the bank account. */
export type SeenPayment = Pick<
  ProviderPaymentRow,
  'providerCode' | 'direction' | 'amountMinor' | 'currency' | 'bankReference' | 'note'
>;

/**
 * Books a payment between a provider and our bank, once; entered again, it is only answered. Refused: PROVIDER_NOT_FOUND,
 * TRANSFER_ALREADY_USED (the reference is of other money), MORE_THAN_OWED, MORE_THAN_RECEIVED.
 */
export const enterProviderPayment = (
  { db, policy }: { db: Db; policy: Pick<Policy, 'providerDebtLimit'> },
  seen: SeenPayment,
  by: Actor & { actorId: string },
): Promise<ProviderPaymentRow> =>
  inTransaction(db, async (tx) => {
    // The same payment, entered by two administrators at once, is entered here one after the other.
    if (!(await lockProvider(tx, seen.providerCode))) throw noSuchProvider();
    const isFree = await takeReference(tx, seen.bankReference);
    const known = isFree ? null : await paymentByReference(tx, seen.bankReference);
    if (known) return sameAs(known, seen);
    if (!isFree) throw isRecorded('for another payment');
    return bookIn(tx, { ...seen, id: v7(), enteredBy: by.actorId, createdAt: new Date() }, policy, by);
  });

async function bookIn(
  tx: Tx,
  payment: ProviderPaymentRow,
  { providerDebtLimit }: Pick<Policy, 'providerDebtLimit'>,
  by: Actor,
): Promise<ProviderPaymentRow> {
  const { providerCode, direction, amountMinor, currency, bankReference, note, createdAt: at } = payment;
  const standing = await standingOf(tx, providerCode, currency);
  requireWithin(payment, standing);
  await bookProviderPayment(tx, payment, providerDebtLimit);
  const { owedMinor } = standing;
  const leftMinor = direction === 'RECEIVED' ? owedMinor - amountMinor : owedMinor + amountMinor;
  await audited(
    tx,
    { ...by, at },
    'provider.enter-payment',
    providerCode,
    { owedMinor },
    { owedMinor: leftMinor, direction, amountMinor, bankReference, note },
    { currency },
  );
  return payment;
}

/** Refuses more than the provider owes, and more to be sent than it has paid. */
function requireWithin(
  { direction, amountMinor, currency }: ProviderPaymentRow,
  { owedMinor, paidMinor }: { owedMinor: number; paidMinor: number },
): void {
  const mostMinor = Math.max(0, direction === 'RECEIVED' ? owedMinor : paidMinor);
  if (amountMinor <= mostMinor) return;
  const most = amountInWords(mostMinor, currency);
  const details = { amount: [`must be at most ${most}`] };
  if (direction === 'RECEIVED')
    throw businessRefusal('MORE_THAN_OWED', `This provider owes ${most}.`, details);
  throw businessRefusal(
    'MORE_THAN_RECEIVED',
    `This provider has paid ${most} that was not sent back.`,
    details,
  );
}

/** The recorded payment, if it is the one that was seen now. */
function sameAs(known: ProviderPaymentRow, seen: SeenPayment): ProviderPaymentRow {
  if (known.providerCode !== seen.providerCode) throw isRecorded('for another provider');
  if (known.direction !== seen.direction) throw isRecorded('in the other direction');
  if (known.amountMinor !== seen.amountMinor || known.currency !== seen.currency)
    throw isRecorded('with another amount');
  return known;
}

const isRecorded = (how: string): Error =>
  businessRefusal('TRANSFER_ALREADY_USED', 'This transfer is already recorded.', {
    bankReference: [`is already recorded ${how}`],
  });
