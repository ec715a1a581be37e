/** RECEIVED: the provider has paid us. SENT: we have paid it, beyond the principal of investments, which is booked as it is invested. */
export const PAYMENT_DIRECTIONS = ['RECEIVED', 'SENT'] as const;

export type PaymentDirection = (typeof PAYMENT_DIRECTIONS)[number];

/** The standing of a provider with us in one currency, in minor units. */
export interface ProviderStanding {
  /** Its debt to us; below zero we owe it. */
  owedMinor: number;
  /** The sum of its payments, less those that were sent to it. */
  paidMinor: number;
  /** The sum that was written off of its debts, less what it has paid of that since. */
  unrecoveredMinor: number;
  /** False of one that cannot report, which is the platform itself. */
  reports: boolean;
}

/** The parts of a payment that pay no debt, in minor units. */
export interface PaymentParts {
  /** It pays what was written off before. */
  recoveredMinor: number;
  /** It is beyond all of that: a credit of the provider, which its next debts use up. */
  creditedMinor: number;
}

/** The parts of what a provider pays: it pays its debt first, then what was written off. */
export function partsOfReceived(
  amountMinor: number,
  { owedMinor, unrecoveredMinor }: Pick<ProviderStanding, 'owedMinor' | 'unrecoveredMinor'>,
): PaymentParts {
  const beyondMinor = amountMinor - Math.min(amountMinor, Math.max(0, owedMinor));
  const recoveredMinor = Math.min(beyondMinor, unrecoveredMinor);
  return { recoveredMinor, creditedMinor: beyondMinor - recoveredMinor };
}
