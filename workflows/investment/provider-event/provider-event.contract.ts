import { defineProcess } from '../../kit/process';
import type { WebhookEventActivities } from '../../commerce/webhook/webhook-event.contract';

export interface ProviderEventInput {
  /** The investment provider's code. */
  provider: string;
  /** The provider's own id of the event; with the provider it makes the event unique. */
  externalEventId: string;
  /** Our row of the stored event. */
  webhookEventId: string;
}

export type ProviderEventResult = 'PROCESSED' | 'IGNORED' | 'DEAD' | 'DISCARDED';

/** One report of an investment provider, applied exactly once. */
export const providerEventProcess = defineProcess<
  ProviderEventInput,
  ProviderEventResult,
  'provider' | 'externalEventId'
>({
  type: 'providerEvent',
  queue: 'ingest',
  area: 'investment',
  id: ({ provider, externalEventId }) => `webhook:${provider}:${externalEventId}`,
  entityId: ({ webhookEventId }) => webhookEventId,
  summary: ({ provider, externalEventId }) => `Report ${externalEventId} of ${provider}`,
  repeatable: true,
});

export interface ProviderEventActivities extends WebhookEventActivities {
  /**
   * Applies a stored report and marks it, in one transaction. WAITING: what it is about is not known (yet). DEAD: it can
   * never be applied; it is marked so. DISCARDED: a person decided that it is never applied.
   */
  applyProviderEvent: (event: { webhookEventId: string; at: string }) => Promise<AppliedProviderEvent>;
}

/** The participation that a report has changed; its process has to look at it. */
export interface ChangedParticipation {
  participationId: string;
  userId: string;
  label: string;
  exists: true;
}

export interface UnappliedProviderEvent<Outcome extends 'WAITING' | 'DEAD'> {
  outcome: Outcome;
  reason: string;
  /** The participation that is mature, and waits until this report of its payout is decided, or was discarded. */
  held?: ChangedParticipation;
}

export type AppliedProviderEvent =
  | UnappliedProviderEvent<'WAITING'>
  | UnappliedProviderEvent<'DEAD'>
  | { outcome: 'IGNORED' }
  | { outcome: 'DISCARDED'; held?: ChangedParticipation }
  | {
      outcome: 'APPLIED' | 'WITHOUT_EFFECT';
      participation: ChangedParticipation | null;
      /** Reports that have waited for this one. */
      wake: ProviderEventInput[];
      /** The decision that a person has to make about it. */
      toDecide?: string;
    };
