import type { Tx } from '../../../db/sql/query';
import type { Certainty } from '../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import type { Destination } from '../../../workflows/commerce/payout/destination.rules';

/** Longer than any call of ours takes, and than a provider's list may lag behind it. */
export const CERTAIN_AFTER_MS = 300_000;

/** A call is made so soon after its request was recorded, or not at all: no look-up may take it for lost while it is to come. */
export const CALL_BEGINS_WITHIN_MS = 10_000;

/**
 * A company that sends our money to people. Every transfer carries our business id as its key: sent again with the same
 * key, it is the same transfer. An answer that never came is looked up. Our own bank account is none of these: a person
 * sends the money from there.
 */
export interface PayoutProvider extends Certainty {
  /** The name in our rows and queues. `stripe` and `bank` are names of payment providers too: their accounts are one. */
  readonly code: string;

  /** The kinds of destinations that it pays to; a person sends the money to the others. */
  readonly methods: readonly Destination['method'][];

  /**
   * Sends money. Only `lookUpTransfer` says that it arrived. `refused` is final for this key, and certain: nothing was and
   * nothing will be sent. A thrown error means that the outcome is unknown. Returns or throws within PROVIDER_CALL_MS.
   */
  sendTransfer: (order: TransferOrder) => Promise<{ status: 'accepted' } | TransferRefused>;

  /**
   * The fate of a transfer by its key, within the same time; null when the provider does not know the key: nothing was sent
   * under it, if it was asked at least `certainAfterMs` and less than `remembersForMs` ago. `arrived` and `refused` are final.
   */
  lookUpTransfer: (key: string) => Promise<TransferFate | null>;

  /**
   * Refuses a transfer for good that it has not begun, in the transaction in which a person settles what it is of. True: it
   * was never and will never be carried out; false: the key is not known. Refused with CANNOT_SETTLE when it may be carried
   * out, or was. Left out: a transfer that is under way cannot be taken back.
   */
  takeBack?: (tx: Tx, transfer: TransferToTakeBack) => Promise<boolean>;
}

export interface TransferToTakeBack {
  key: string;
  /** For operators; without data of the person. */
  reason: string;
  at: Date;
}

export interface TransferOrder {
  key: string;
  amountMinor: number;
  currency: string;
  destination: Destination;
}

export interface TransferRefused {
  status: 'refused';
  /** For operators; without data of the person. */
  reason: string;
}

/** For operators: the reason why money is not sent or settled otherwise. */
export interface WhyNot {
  code: 'CANNOT_SETTLE';
  message: string;
}

export type TransferFate =
  /** `endedBy`: for operators, how it is ended where that is not by the provider's own means. */
  | { status: 'under way'; endedBy?: WhyNot }
  /**
   * `transferId`: the provider's own id. `amountMinor`: what has arrived in all, where it is not what was requested. `currency`:
   * left out where it can be no other than was requested. `otherAttempt`: the number of the attempt that has arrived, where that is not
   * the one of the key that was looked up.
   */
  | {
      status: 'arrived';
      transferId: string;
      amountMinor: number;
      currency?: string;
      otherAttempt?: number;
    }
  | TransferRefused;
