import type { PaymentMethod } from './payment.rules';

export interface PaymentOffer {
  method: PaymentMethod;
  /** The amount to pay by this method. */
  amountMinor: number;
  currency: string;
  paymentUrl: string | null;
  /** The attempt whose page is still to be requested from an external provider; left out if there is none. */
  pageToOpen?: { attemptId: string; provider: string };
  bankDetails: { bankName: string; accountNumber: string; bik: string; purpose: string } | null;
  /** The end of this attempt's payment window, which may be before the order's; ISO 8601. */
  expiresAt: string;
}

export interface PaymentPageActivities {
  /**
   * Requests the provider's page of an attempt; the same attempt has the same page. Null: the attempt can no longer be
   * paid, or has no page. A provider's refusal is thrown as non-retryable.
   */
  openPage: (attempt: { attemptId: string }) => Promise<{ paymentUrl: string | null }>;
}
