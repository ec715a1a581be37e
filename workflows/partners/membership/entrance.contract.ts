import { defineSignal } from '@temporalio/workflow';
import type { PaymentOffer } from '../../commerce/payment/payment-page.contract';
import type { FoundMoneyActivities } from '../../commerce/payment/found-money.contract';
import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';
import type { EntranceStatus } from './entrance.states';
import type { EntranceMethod } from './membership.rules';

export interface EntranceInput {
  userId: string;
  /** The entrance fee is there before its process, which lost the one before: there is no update that opens it. */
  exists?: true;
}

/** The user is a partner; or the newest entrance fee waits for its payment, or was cancelled. */
export type EntranceState =
  | {
      status: 'JOINED';
      /** The entrance fee on whose page the user could still pay; left out: no page may be open. */
      pageLeftOf?: string;
    }
  | {
      status: Exclude<EntranceStatus, 'PAID'>;
      entranceId: string;
      /** The end of the payment window (ISO 8601). */
      payBy: string;
      label: string;
    };

export type EntranceResult = 'JOINED' | 'CANCELLED' | 'REFUSED' | 'ABANDONED';

/** One person who joins the partner programme: at once, or when the entrance fee is paid. */
export const entranceProcess = defineProcess<EntranceInput, EntranceResult, 'userId'>({
  type: 'partnerEntrance',
  queue: 'interactive',
  area: 'partners',
  id: ({ userId }) => `partner-entrance:${userId}`,
  entityId: ({ userId }) => userId,
  resource: 'user',
  userId: ({ userId }) => userId,
  summary: ({ userId }) => `Partner entrance of ${userId}`,
  repeatable: true,
  parks: true,
  drives: {
    table: 'partner_entrances',
    name: 'number',
    key: { userId: 'user_id' },
    entity: 'user_id',
    column: 'status',
    open: ['PENDING_PAYMENT'],
    since: 'created_at',
    settledSince: 'ended_at',
    // A user whose entrance fee was not paid may join again.
    rowIsFirst: true,
  },
});

/** A request to join. The API has checked its form only. */
export interface OpenEntrance {
  /** The id of the partner, where no fee is due. */
  partnerId: string;
  /** The id of the entrance fee, where one is due and none waits for its payment. */
  entranceId: string;
  attemptId: string;
  /** Null: none was named. */
  paymentMethod: EntranceMethod | null;
}

export interface OpenedEntrance {
  standing: EntranceState;
  /** Null: the user is a partner, or the entrance fee was cancelled meanwhile. */
  payment: PaymentOffer | null;
}

/** Makes the user a partner where no fee is due; else opens the fee, or another way to pay one that waits. Refused with the codes of POST /mlm/partner/join. */
export const openEntrance = decision<OpenedEntrance, [OpenEntrance]>('openEntrance', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});
/** A provider, or an administrator, has reported on its payment; or its user has become a partner without it. */
export const entrancePaymentReported = defineSignal('entrancePaymentReported');

/** Each is one transaction; run again, it returns the same as the first time. */
export interface EntranceActivities extends FoundMoneyActivities {
  openEntrance: (command: EntranceInput & OpenEntrance & { at: string }) => Promise<OpenedEntrance>;
  /** The state of the user; null when they never asked to join. */
  entranceState: (entrance: { userId: string }) => Promise<EntranceState | null>;
  /** Cancels it after its payment window; one that was paid in the meantime stays. */
  expireEntrance: (entrance: { entranceId: string; at: string }) => Promise<EntranceState>;
}
