import { v7 } from 'uuid';
import { audited } from '../../../../db/administration/audit/audit.writes';
import { lockProvider } from '../../../../db/investment/provider/provider.reads';
import type { ProviderPaymentRow } from '../../../../db/investment/provider-payment/provider-payment.reads';
import {
  bookProviderPayment,
  paymentByReference,
  takeReference,
} from '../../../../db/investment/provider-payment/provider-payment.writes';
import { standingOf } from '../../../../db/investment/provider-payment/provider-standing.reads';
import type { Policy } from '../../../../db/policy/config';
import type { Db, Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { amountInWords } from '../../../../workflows/commerce/money.rules';
import { businessRefusal } from '../../../../workflows/errors';
import {
  partsOfReceived,
  type PaymentParts,
  type ProviderStanding,
} from '../../../../workflows/investment/provider-payment.rules';
import type { Actor } from '../../actor';
import { noSuchProvider } from '../no-such-provider';
import { moreThanOwed } from './more-than-owed';

/** A payment as it was seen on the bank account. */
export type SeenPayment = Pick<
  ProviderPaymentRow,
  'providerCode' | 'direction' | 'amountMinor' | 'currency' | 'bankReference' | 'note'
> & {
  /** True if it may be more than the provider has to pay. */
  ahead: boolean;
};

/**
 * Books a payment between a provider and our bank, once; entered again, it is only answered. Refused: PROVIDER_NOT_FOUND,
 * TRANSFER_ALREADY_USED (the reference is of other money), MORE_THAN_OWED, MORE_THAN_RECEIVED.
 */
export const enterProviderPayment = (
  { db, policy }: { db: Db; policy: Pick<Policy, 'providerDebtLimit'> },
  { ahead, ...seen }: SeenPayment,
  by: Actor & { actorId: string },
): Promise<ProviderPaymentRow> =>
  inTransaction(db, async (tx) => {
    // The same payment, entered by two administrators at once, is entered here one after the other.
    if (!(await lockProvider(tx, seen.providerCode))) throw noSuchProvider();
    const isFree = await takeReference(tx, seen.bankReference);
    const known = isFree ? null : await paymentByReference(tx, seen.bankReference);
    if (known) return sameAs(known, seen);
    if (!isFree) throw isRecorded('for another payment');
    const standing = await standingOf(tx, seen.providerCode, seen.currency);
    const payment = { ...seen, ...partsWithin(seen, standing, ahead), id: v7(), enteredBy: by.actorId };
    return bookIn(tx, { ...payment, createdAt: new Date() }, { ...policy, ...standing }, by);
  });

async function bookIn(
  tx: Tx,
  payment: ProviderPaymentRow,
  { providerDebtLimit, owedMinor }: Pick<Policy, 'providerDebtLimit'> & Pick<ProviderStanding, 'owedMinor'>,
  by: Actor,
): Promise<ProviderPaymentRow> {
  const { providerCode, direction, amountMinor, recoveredMinor, creditedMinor, currency } = payment;
  const { bankReference, note, createdAt: at } = payment;
  await bookProviderPayment(tx, payment, providerDebtLimit);
  const lessMinor = direction === 'RECEIVED' ? amountMinor - recoveredMinor : -amountMinor;
  await audited(
    tx,
    { ...by, at },
    'provider.enter-payment',
    providerCode,
    { owedMinor },
    {
      ...{ owedMinor: owedMinor - lessMinor, direction, amountMinor, recoveredMinor, creditedMinor },
      ...{ bankReference, note },
    },
    { currency },
  );
  return payment;
}

/** The parts of a payment. Refuses more than the provider has to pay, unless it pays ahead, and more to be sent than it has paid. */
function partsWithin(
  { direction, amountMinor, currency }: Pick<SeenPayment, 'direction' | 'amountMinor' | 'currency'>,
  standing: ProviderStanding,
  ahead: boolean,
): PaymentParts {
  const { paidMinor, reports } = standing;
  const isReceived = direction === 'RECEIVED';
  const parts = isReceived ? partsOfReceived(amountMinor, standing) : { recoveredMinor: 0, creditedMinor: 0 };
  if (parts.creditedMinor > 0 && !(ahead && reports)) throw moreThanOwed(standing, currency);
  if (isReceived || amountMinor <= paidMinor) return parts;
  const most = amountInWords(Math.max(0, paidMinor), currency);
  throw businessRefusal('MORE_THAN_RECEIVED', `This provider has paid ${most} that was not sent back.`, {
    amount: [`must be at most ${most}`],
  });
}

/** The recorded payment, if it is the one that was seen now. */
function sameAs(known: ProviderPaymentRow, seen: Omit<SeenPayment, 'ahead'>): ProviderPaymentRow {
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
