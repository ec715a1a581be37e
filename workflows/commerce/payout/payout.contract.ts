import { defineSignal } from '@temporalio/workflow';
import { decision } from '../../kit/decision';
import { defineProcess, type DrivesOf } from '../../kit/process';
import type { PayoutKind } from './payout.rules';
import type { PayoutStatus } from './payout.states';
import type { TransferOut, TransferProgress } from './transfer-out.rules';

export interface PayoutInput {
  payoutId: string;
  userId: string;
  /** Its amount, for the summary. */
  label?: string;
  /** True for one that was requested already, whose process may have been lost: no update has to open it. */
  exists?: true;
  /** In a later run: a refusal of its transfer was not answered to anybody, and waits for a person. */
  isUnanswered?: boolean;
  /** In a later run: operators are not reminded of it before (ISO 8601); empty: they never were. */
  remindAt?: string;
}

export interface PayoutState {
  status: PayoutStatus;
  /** The money on its way out; null unless it is PROCESSING. */
  transfer: TransferOut | null;
  /** From then on operators are told that it waits (ISO 8601); null once it has ended. */
  overdueAt: string | null;
  /** The reason for which the last transfer was refused; null: none was. */
  lastRefusal: string | null;
}

export type PayoutResult = 'COMPLETED' | 'REJECTED' | 'CANCELLED' | 'REFUSED';

/** The rows of one kind of payout. One that waits for a decision needs no process: the decision starts it. */
export const payoutsOf = (kind: PayoutKind): DrivesOf<PayoutInput, 'payoutId'> => ({
  table: 'payouts',
  amount: 'amount_minor',
  key: { payoutId: 'id', userId: 'user_id' },
  only: { kind },
  column: 'status',
  open: ['PROCESSING'],
  since: 'processed_at',
  settled: ['COMPLETED', 'REJECTED', 'CANCELLED'],
  settledSince: 'ended_at',
});

/** The payout of a partner's balance, from its request until the money has arrived or is back. */
export const payoutProcess = defineProcess<PayoutInput, PayoutResult, 'payoutId'>({
  type: 'payout',
  queue: 'interactive',
  area: 'partners',
  id: ({ payoutId }) => `payout:${payoutId}`,
  entityId: ({ payoutId }) => payoutId,
  resource: 'payout',
  userId: ({ userId }) => userId,
  summary: ({ payoutId, label }) => (label === undefined ? `Payout ${payoutId}` : `${label} · payout`),
  repeatable: true,
  parks: true,
  ownMatter: 'your own payout',
  drives: payoutsOf('PARTNER'),
});

/** A request for a payout to the saved details. The API has checked its form only. */
export interface RequestPayout {
  kind: PayoutKind;
  amountMinor: number;
  currency: string;
}

/** Holds the amount. Refused with the codes of POST /mlm/payouts/request. */
export const requestPayout = decision<PayoutState, [RequestPayout]>('requestPayout', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});

/** A decision. `noteId`: the stored note that names the administrator, with what they wrote. */
export interface PayoutDecision {
  noteId: string;
}

/** Refused: NOT_PENDING, FORBIDDEN. */
export const approvePayout = decision<PayoutState, [PayoutDecision]>('approvePayout', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});

/** `returnsFunds`: false forfeits the amount. */
export interface RejectPayout extends PayoutDecision {
  returnsFunds: boolean;
}

/** Refused: NOT_REJECTABLE, FORBIDDEN. */
export const rejectPayout = decision<PayoutState, [RejectPayout]>('rejectPayout', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});

/** `byOwner`: the owner cancels a request that nobody has decided on; else an administrator does. */
export interface CancelPayout extends PayoutDecision {
  byOwner: boolean;
}

/** Refused: NOT_CANCELLABLE, FORBIDDEN. */
export const cancelPayout = decision<PayoutState, [CancelPayout]>('cancelPayout', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});

/** Sends the money. Refused: NOT_APPROVED, FORBIDDEN, PAYMENT_FAILED (the transfer was certainly refused). */
export const processPayout = decision<PayoutState, [PayoutDecision]>('processPayout', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});

/** The report of a person about the transfer. The note has the bank's reference. */
export interface CompletePayout extends PayoutDecision {
  outcome: 'DONE' | 'REFUSED';
}

/**
 * Refused: NOT_PROCESSING, ALREADY_SETTLED (also when its provider turns out to have sent it, which then completes it), CANNOT_SETTLE
 * (its provider may still send it), VALIDATION_ERROR, FORBIDDEN.
 */
export const completePayout = decision<PayoutState, [CompletePayout]>('completePayout', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});

/** Tells a process of money on its way out that its provider has ended the transfer: it looks at once. */
export const transferReported = defineSignal('transferReported');

interface At {
  payoutId: string;
  /** ISO 8601. */
  at: string;
}

/** The state after the report of a person. */
export interface CompletedPayout extends PayoutState {
  /** The provider whose transfer has completed it instead of the word of the person; left out: none. */
  arrivedBy?: string;
}

export interface PayoutActivities {
  /** Null: there is no such payout. */
  payoutState: (payout: { payoutId: string }) => Promise<PayoutState | null>;
  /** The same payout again only returns its state, as does the same decision in the following ones. */
  requestPayout: (request: PayoutInput & RequestPayout & At) => Promise<PayoutState>;
  approvePayout: (decision: PayoutDecision & At) => Promise<PayoutState>;
  rejectPayout: (decision: RejectPayout & At) => Promise<PayoutState>;
  cancelPayout: (decision: CancelPayout & At) => Promise<PayoutState>;
  /** Records that the money is sent from now on, and by whom; the transfer itself is the provider's step. */
  processPayout: (decision: PayoutDecision & At) => Promise<PayoutState>;
  completePayout: (report: CompletePayout & At) => Promise<CompletedPayout>;
  /** Leaves the transfer to a person, if it was certainly not sent; returns why it stays with its provider, or null. */
  handOverPayout: (payout: At) => Promise<string | null>;
  /** Marks further commissions as paid by completed payouts; returns their number, 0 when there are no more. */
  payCommissions: (payout: { payoutId: string }) => Promise<number>;
}

export interface PayoutProviderActivities {
  /**
   * Sends the money, or looks it up where it may have been sent before, and books the outcome: it arrived, or it was
   * refused and the payout is APPROVED again.
   */
  sendPayout: (payout: At) => Promise<TransferProgress>;
}
