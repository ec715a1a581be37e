import type { PaymentReport } from '../../../workflows/commerce/payment/payment-report.rules';

/**
 * A company that moves buyers' money. Every call that moves something carries our business id as its key: called
 * again with the same key, a provider answers as the first time. An answer that never came is looked up.
 */
export interface PaymentProvider {
  /** The name in webhook addresses and in our rows. */
  readonly code: string;

  /**
   * The time after an attempt's start in which its page can be opened, where that is a call to another company. Null: the
   * page's address follows from the payment, so an order can be placed and its payment opened in one step.
   */
  readonly opensWithinMs: number | null;

  /** The amounts of a currency that it takes, in minor units; left out: any. Others are refused before anything is placed. */
  readonly amounts?: (currency: string) => { leastMinor: number; mostMinor: number };

  /**
   * Opens the page where the buyer pays. The same payment opened again has the same page. Throws ProviderRefusal when there
   * will be no page; after any other error there may be one.
   */
  openPayment: (payment: OpenPayment) => Promise<OpenedPayment>;

  /**
   * Closes the page; a payment that was made before stays made, and is then looked up. Returns or throws within
   * LOOK_UP_TIMES.callMs.
   */
  closePayment: (payment: PaymentHandle) => Promise<void>;

  /** Reports on a payment, one for each time money moved, oldest first; within the same time. */
  lookUpPayment: (payment: PaymentHandle) => Promise<PaymentReport[]>;

  /**
   * Sends money back. `refused` is final for this key, and certain: nothing was and nothing will be sent. A thrown error means that
   * the outcome is unknown, as it is where the key was used for another refund.
   */
  refund: (refund: RefundOrder) => Promise<RefundOutcome>;

  /**
   * From so long after a request for a refund on, one that is not found was not carried out: longer than any call takes. Look-ups forget
   * nothing.
   */
  readonly certainAfterMs: number;

  /**
   * The outcome of a refund: that of whichever attempt was sent or is pending, also one that we have not recorded, as after a
   * restore, with its number; else that of its key; null when the provider knows neither.
   */
  lookUpRefund: (refund: Pick<RefundOrder, 'key' | 'paymentId'>) => Promise<RefundOutcome | null>;

  /**
   * True if a payment, by the provider's id, is for certain another system's that shares our account there; left out: accounts are
   * not shared.
   */
  isForeign?: (paymentId: string) => Promise<boolean>;
}

/** A provider's final refusal. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}

export interface OpenPayment {
  /** Our payment attempt's id. */
  key: string;
  method: 'CARD' | 'EWALLET';
  amountMinor: number;
  currency: string;
  /** The start and the deadline of the attempt; ISO 8601. */
  openedAt: string;
  expiresAt: string;
  /** The text on the page: the number of what is paid for. */
  description: string;
}

export interface OpenedPayment {
  paymentUrl: string;
  /** The provider's own name of the payment, if it has one. */
  reference: string | null;
}

/** A payment that was opened, or was to be. */
export interface PaymentHandle {
  key: string;
  /** Null: the provider has none, or its answer was lost. */
  reference: string | null;
}

export interface RefundOrder {
  /**
   * Our refund's id with the number of the attempt. A refund may be requested again under it with a smaller amount, once a chargeback
   * has paid a part of it.
   */
  key: string;
  /** The provider's id of the payment that is given back. */
  paymentId: string;
  amountMinor: number;
  currency: string;
}

/** `otherAttempt`: the number of the attempt that was found, where that is not the one of the key that was looked up. */
export type RefundOutcome =
  | { status: 'completed'; refundId: string; amountMinor: number; otherAttempt?: number }
  /** The provider has it, and sends it later by itself, or says that it failed. */
  | { status: 'pending'; refundId: string; otherAttempt?: number }
  | { status: 'refused'; reason: string }
  /** A person has to send the money. */
  | { status: 'manual' };
