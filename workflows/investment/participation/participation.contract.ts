import { defineSignal } from '@temporalio/workflow';
import type { PaymentOffer } from '../../commerce/payment/payment-page.contract';
import { summaryOf } from '../../commerce/order/order-label.rules';
import type { FoundMoneyActivities } from '../../commerce/payment/found-money.contract';
import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';
import type { ParticipationMethod } from './participation.rules';
import type { ParticipationStatus } from './participation.states';

export interface ParticipationInput {
  participationId: string;
  userId: string;
  /** The number that it gets, drawn by the starter so that the process can be found by it. */
  number?: string;
  /** As people name it, with amount and strategy, for the summary. */
  label?: string;
  /** True for one that is made already, by a provider's report or of a matured one: no update has to open it. */
  exists?: true;
  /** The state when the process continued as new; nothing else sets it. */
  standing?: ParticipationState | undefined;
  /** True if the process has looked for money on pages that were left open; it says so when it continues as new. */
  moneyLookedFor?: boolean;
}

export interface ParticipationState {
  status: ParticipationStatus;
  /** The end of the payment window (ISO 8601) while it waits for payment, else null. */
  payBy: string | null;
  /** ISO 8601; null before it runs. */
  maturesAt: string | null;
  /** True while its provider's report of its payout is still to be decided: until then it does not mature. */
  awaitsPayout?: boolean;
  label: string;
  /** True if it no longer waits for its payment here, and a page on which it could be paid may still be open. */
  pagesLeft: boolean;
  /** The participation that its money was reinvested in; null: none. */
  successor: { participationId: string; label: string } | null;
}

export type ParticipationResult = 'MATURED' | 'WITHDRAWN' | 'CANCELLED' | 'REFUSED' | 'ABANDONED';

/** One participation from its request, over its payment, to its maturity years later or its withdrawal. */
export const participationProcess = defineProcess<ParticipationInput, ParticipationResult, 'participationId'>(
  {
    type: 'participation',
    queue: 'interactive',
    area: 'investment',
    id: ({ participationId }) => `participation:${participationId}`,
    entityId: ({ participationId }) => participationId,
    resource: 'participation',
    userId: ({ userId }) => userId,
    summary: ({ participationId, label }) =>
      summaryOf(label, 'participation', `Participation ${participationId}`),
    repeatable: true,
    parks: true,
    drives: {
      table: 'participations',
      name: 'number',
      amount: 'amount_minor',
      key: { participationId: 'id', userId: 'user_id' },
      column: 'status',
      open: ['PENDING_PAYMENT', 'ACTIVE'],
      since: ['started_at', 'created_at'],
      settledSince: 'ended_at',
    },
  },
);

/** An investment that a person asks for. The API has checked its form only. */
export interface OpenParticipation {
  strategyId: string;
  amountMinor: number;
  currency: string;
  durationDays: number;
  compounding: boolean;
  autoReinvest: boolean;
  paymentMethod: ParticipationMethod;
  attemptId: string;
  /** ISO 8601; after it nothing is opened or paid any more. Left out: whenever it can be. */
  notAfter?: string;
}

export interface OpenedParticipation {
  standing: ParticipationState;
  number: string;
  strategyName: string;
  /** The returns over the whole duration, in minor units. */
  expectedMinor: { min: number; max: number; expected: number };
  /** ISO 8601; of one that waits for its payment, as if it were paid when it was opened. */
  maturityDate: string;
  /** Null when it was paid at once. */
  payment: PaymentOffer | null;
  /** ISO 8601. */
  createdAt: string;
}

/** Opens it. Refused with the codes of POST /investment/participations. */
export const openParticipation = decision<OpenedParticipation, [OpenParticipation]>('openParticipation', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});
/** Cancels it while it waits for its payment, as the administrator in the stored note decides. Refused: CANNOT_CANCEL. */
export const cancelParticipation = decision<ParticipationState, [{ noteId: string }]>('cancelParticipation', {
  ifClosed: 'CANNOT_CANCEL',
});
/** A provider, or an administrator, has reported on its payment. */
export const participationPaymentReported = defineSignal('participationPaymentReported');
/** Its row was changed by another process: it was activated, extended, withdrawn. */
export const participationMoved = defineSignal('participationMoved');

/** Each is one transaction; run again, it returns the same as the first time. */
export interface ParticipationActivities extends FoundMoneyActivities {
  /** Checks, reserves capacity and writes it; one paid by balance runs at once. Fails after `notAfter`. */
  openParticipation: (
    command: ParticipationInput & OpenParticipation & { at: string },
  ) => Promise<OpenedParticipation>;
  /** Its state; null when it was never opened. */
  participationState: (participation: { participationId: string }) => Promise<ParticipationState | null>;
  /** Cancels it after its payment window; one that was paid in the meantime stays. */
  expireParticipation: (participation: {
    participationId: string;
    at: string;
  }) => Promise<ParticipationState>;
  /** Cancels it while it waits for its payment; the same decision again only returns the state. Refused: CANNOT_CANCEL. */
  cancelParticipation: (decision: {
    participationId: string;
    noteId: string;
    at: string;
  }) => Promise<ParticipationState>;
  /** Pays it out, or reinvests it, when it is mature and awaits no payout of its provider; any other is only read. */
  matureParticipation: (participation: {
    participationId: string;
    userId: string;
    at: string;
  }) => Promise<ParticipationState>;
  /**
   * Puts the user's open identity verification first in the reviewers' queue, if this investment, which was refused, or one
   * of those that are open is large; returns the verification that has changed.
   */
  urgeReview: (investor: {
    userId: string;
    refused?: { amountMinor: number; currency: string };
    at: string;
  }) => Promise<{ kycId: string } | null>;
}
