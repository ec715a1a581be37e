import { z } from 'zod';
import { MAX_AMOUNT_MINOR } from '../../../../../workflows/commerce/money.rules';
import type { StatementMovement } from '../../../statements/port';
import { ProviderId } from '../../message';
import { STRIPE_ATTEMPT, STRIPE_REFUND, STRIPE_TRANSFER } from '../message';
import { StripeSource } from './source';

const Signed = z.number().int().min(-MAX_AMOUNT_MINOR).max(MAX_AMOUNT_MINOR);

/** The fields that we read of a balance transaction. An object that we do not know is none. */
export const StripeTransaction = z.object({
  id: ProviderId,
  type: z.string(),
  reporting_category: z.string().nullish(),
  /** Above zero: to our balance. In the currency of our balance, as the fee is. */
  amount: Signed,
  fee: Signed,
  currency: z.string().regex(/^[A-Za-z]{3}$/),
  created: z.number().int().nonnegative(),
  source: StripeSource.nullish().catch(null),
});

export type StripeTransaction = z.output<typeof StripeTransaction>;
type Source = z.output<typeof StripeSource>;

/** Fees that Stripe takes by themselves, not of another transaction. */
const FEE_TYPES = ['stripe_fee', 'stripe_fx_fee', 'tax_fee'];

/** Money that Stripe sets aside and releases again: it stays on our account. */
const SET_ASIDE = [
  'payment_network_reserve_hold',
  'payment_network_reserve_release',
  'payout_minimum_balance_hold',
  'payout_minimum_balance_release',
  'reserve_hold',
  'reserve_release',
  'reserve_transaction',
  'reserved_funds',
];

/** Money between our own accounts: our balance is topped up from our bank account, and paid out to it, to no other one. */
const BETWEEN_OURS = ['payout', 'payout_cancel', 'payout_failure', 'topup', 'topup_reversal'];

/**
 * The movements that a balance transaction stands for: what it is about, in the amount and currency of that, and its fee.
 * Chosen: what we do not know is listed under the transaction's own id, so that a person sees it. Top-ups of our balance and
 * payouts to our own bank account, by schedule or by hand, are no movements: that money is ours before and after.
 */
export function movementsOf(transaction: StripeTransaction): StatementMovement[] {
  const { id, fee, created, source } = transaction;
  const currency = transaction.currency.toUpperCase();
  const at = new Date(created * 1_000);
  const money = moneyOf(transaction);
  const reference = source?.object === 'dispute' ? source.id : null;
  return [
    ...(money && money.amountMinor !== 0 ? [{ ...money, at }] : []),
    ...(fee === 0
      ? []
      : [{ kind: 'FEE' as const, providerId: id, reference, amountMinor: fee, currency, at }]),
  ];
}

type Money = Omit<StatementMovement, 'at'>;

function moneyOf({ id, type, reporting_category: category, amount, ...of }: StripeTransaction): Money | null {
  const { source } = of;
  const own = { providerId: id, reference: null, currency: of.currency.toUpperCase() };
  if (FEE_TYPES.includes(type) || category === 'fee') return { kind: 'FEE', ...own, amountMinor: -amount };
  if (SET_ASIDE.includes(type) || BETWEEN_OURS.includes(type)) return null;
  if (source) return movementOf(id, source, amount > 0);
  return amount > 0
    ? { kind: 'CAPTURE', ...own, amountMinor: amount }
    : { kind: 'TRANSFER_OUT', ...own, amountMinor: -amount };
}

/** A movement of the object that a transaction is about; one in the other direction undoes it. */
function movementOf(transactionId: string, source: Source, isIncoming: boolean): Money {
  const { currency, amount: amountMinor } = source;
  const undoes = (kind: Money['kind'], reverses: string): Money => ({
    ...{ kind, providerId: transactionId, reference: null, reverses, amountMinor: -amountMinor, currency },
  });
  switch (source.object) {
    case 'charge': {
      const providerId = source.payment_intent ?? source.id;
      const reference = source.metadata[STRIPE_ATTEMPT] ?? null;
      if (!isIncoming) return undoes('CAPTURE', providerId);
      return { kind: 'CAPTURE', providerId, reference, amountMinor, currency };
    }
    case 'refund': {
      const reference = source.metadata[STRIPE_REFUND] ?? null;
      if (isIncoming) return undoes('REFUND', source.id);
      return { kind: 'REFUND', providerId: source.id, reference, amountMinor, currency };
    }
    case 'dispute': {
      const kind = isIncoming ? 'CHARGEBACK_RETURNED' : 'CHARGEBACK';
      const of = { providerId: transactionId, chargebackId: source.id };
      return { kind, ...of, reference: null, amountMinor, currency };
    }
    case 'transfer_reversal':
      return undoes('TRANSFER_OUT', source.transfer);
    case 'transfer': {
      const reference = source.metadata[STRIPE_TRANSFER] ?? null;
      if (isIncoming) return undoes('TRANSFER_OUT', source.id);
      return { kind: 'TRANSFER_OUT', providerId: source.id, reference, amountMinor, currency };
    }
  }
}
