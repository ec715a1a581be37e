import { defineProcess } from '../../kit/process';
import {
  reportsOf,
  webhookProcessId,
  type WebhookEventActivities,
  type WebhookEventInput,
} from '../../commerce/webhook/webhook-event.contract';

export type ProviderEventInput = WebhookEventInput;

export type ProviderEventResult = 'PROCESSED' | 'IGNORED' | 'DEAD' | 'DISCARDED';

/** One report of an investment provider, applied exactly once. */
export const providerEventProcess = defineProcess<
  ProviderEventInput,
  ProviderEventResult,
  'provider' | 'webhookEventId' | 'replays'
>({
  type: 'providerEvent',
  queue: 'ingest',
  area: 'investment',
  id: webhookProcessId,
  entityId: ({ webhookEventId }) => webhookEventId,
  resource: 'report',
  summary: ({ provider, externalEventId }) => `Report ${externalEventId} of ${provider}`,
  repeatable: true,
  parks: true,
  ownMatter: 'a report about yourself, your own payment or investment',
  drives: reportsOf('INVESTMENT'),
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
