import type { PayableStatus } from '../../../workflows/commerce/payment-event/payable-status';
import type { PayableKind, PayableRef } from '../../../workflows/commerce/payable/payable.rules';
import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import type { RefundReason } from '../../../workflows/commerce/refund/payment-refund.states';

/**
 * All that the payments kit requires of a thing that is paid for. It is locked until the transaction ends, which guards all its
 * money; its facts are those of the moment at which it was locked.
 */
export interface Payable {
  readonly ref: PayableRef;
  /** Its name in refusals and in the audit log. */
  readonly kind: PayableKind;
  readonly userId: string;
  /** The number by which people name it; the purpose of bank transfers. */
  readonly number: string;
  /** It as people name it, for summaries. */
  readonly label: string;
  readonly status: PayableStatus;
  readonly paymentStatus: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED';
  readonly currency: string;
  /** The amount to pay by another way than the user's balances. */
  readonly dueMinor: number;
  readonly awaitsPayment: boolean;
  /** True if it was given up, so that it keeps none of its money. */
  readonly isCancelled: boolean;
  /** The end of the time in which it can be paid; ISO 8601. */
  readonly payBy: string;
  /** True for what is paid by one attempt only, so that it is given up when that is declined. */
  readonly hasOneAttempt?: true;
  /** True for what its user cannot ask to pay by another attempt, so that it is given up when its provider opens no page. */
  readonly isOpenedOnce?: true;
  /** Why money goes back that arrives now and does not pay it. */
  readonly strayReason: RefundReason;

  /** Carries out all that its payment means; it awaits payment, and the money is recorded. `by`: null for a provider. */
  settle: (paid: Paid) => Promise<void>;
  /** Shows its user that another attempt to pay is required. */
  markFailed: (at: string) => Promise<void>;
  /** Gives it up, after its time to pay or when its only attempt was declined. */
  expire: (at: string) => Promise<void>;
  /**
   * Takes from its user what a bank has taken of its payment, as far as the platform still holds it for them; left out: what
   * was paid for stays. It is called once for a chargeback, and `giveBack` once when that is returned.
   */
  takeBack?: (chargeback: TakenMoney, at: string) => Promise<void>;
  giveBack?: (chargeback: TakenMoney, at: string) => Promise<void>;
  /** The withdrawals that ended because a chargeback took back what they held, whose processes are to see it. */
  withdrawalsEnded?: (chargebackId: string) => Promise<string[]>;
  /** The words of a decision that a person has to make after a bank took of its payment; null: there is none. */
  decisionAfter: (taken: TakenMoney) => Promise<string | null>;
  /** Shows its user the page that a provider has opened. */
  showPage: (page: OpenPage) => Promise<void>;
}

export interface Paid {
  method: PaymentMethod;
  provider: string;
  by: string | null;
  /** ISO 8601. */
  at: string;
}

/** A recorded chargeback of its payment. */
export interface TakenMoney {
  chargebackId: string;
  amountMinor: number;
  currency: string;
  /** The amount, and whether it is gone for good. */
  words: string;
}

export interface OpenPage {
  paymentUrl: string;
  amountMinor: number;
  expiresAt: Date;
}
