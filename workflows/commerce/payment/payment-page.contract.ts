import type { PaymentMethod } from './payment.rules';

export interface PaymentOffer {
  method: PaymentMethod;
  /** The amount to pay by this method. */
  amountMinor: number;
  currency: string;
  paymentUrl: string | null;
  /** The attempt whose page is still to be requested from an external provider; left out if there is none. */
  pageToOpen?: { attemptId: string; provider: string };
  /** True if the provider has refused the payment for certain, which ended the attempt: only another one has a page. */
  isRefused?: true;
  bankDetails: { bankName: string; accountNumber: string; bik: string; purpose: string } | null;
  /** The end of this attempt's payment window, which may be before the order's; ISO 8601. */
  expiresAt: string;
}

/** The type of the failure by which `openPage` reports a provider's refusal. */
export const PAGE_REFUSED = 'PageRefused';

export interface PaymentPageActivities {
  /**
   * Requests the provider's page of an attempt; the same attempt has the same page. Null: the attempt can no longer be
   * paid, or has no page. A provider's refusal ends the attempt and is thrown as non-retryable PAGE_REFUSED, each time.
   */
  openPage: (attempt: { attemptId: string }) => Promise<{ paymentUrl: string | null }>;
}
