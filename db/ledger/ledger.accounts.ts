import type { LedgerHold } from './ledger-hold.model';

/** A person's accounts. These have a running balance. */
export type UserAccount = 'wallet' | 'partner_pending' | 'partner_available' | 'payout_hold';

/** The platform's own accounts. These have no running balance: one row that every sale updates would be a bottleneck. */
export type PlatformAccount =
  | 'sales'
  | 'tax'
  | 'shipping'
  | 'payments'
  | 'payouts'
  | 'commission_expense'
  | 'pool_weekly'
  | 'pool_monthly'
  | 'investments'
  | 'penalties'
  | 'entrance_fees'
  | 'forfeited'
  | 'refunds'
  | 'provider_fees'
  | 'losses'
  | ClearingAccount;

/** Our money with a payment provider or our own bank. The lower below zero, the more of it has to be there. */
type ClearingAccount = `clearing_${string}`;

/** The account of money that came through a provider, by the provider's code. */
export const clearingAccount = (provider: string): ClearingAccount => `clearing_${provider}`;

/**
 * Positive is a credit (we owe, or income), negative a debit. In minor units of the currency. `holdId`: the payout or withdrawal
 * that the amount is held for; the database releases no more of it than is held.
 */
export type LedgerLine =
  | (Side & { account: Exclude<UserAccount, 'payout_hold'>; userId: string; holdId?: never })
  | (Side & { account: 'payout_hold'; userId: string; holdId: LedgerHold['holdId'] })
  | (Side & { account: PlatformAccount; userId?: never; holdId?: never });

interface Side {
  currency: string;
  amountMinor: number;
}
