import { defineSignal } from '@temporalio/workflow';
import type { DrivesOf } from '../../kit/process';

/** Makes the process of a waiting report try again now: what it waits for may have come, or a person asks for it. */
export const tryEventAgain = defineSignal('tryEventAgain');

/** The input of the process of a stored report. */
export interface WebhookEventInput {
  /** The code of the provider that sent it. */
  provider: string;
  /** The provider's own id of the report; with the provider it makes the report unique. */
  externalEventId: string;
  /** Our row of the stored report. */
  webhookEventId: string;
  /** The number of its replays; left out: none. */
  replays?: number;
  /** In a later run of its process. */
  before?: WebhookEventSoFar;
}

/** The results of earlier runs of the process of a report. */
export interface WebhookEventSoFar {
  /** The time of its first try; ISO 8601. */
  begun: string;
  /** It is applied, and a person has to make a decision; the words in which the process ends. */
  applied?: { toDecide: string; words: string };
}

/** The id of the process of a report: one for each report, and from its first replay on one for each replay. */
export const webhookProcessId = ({
  provider,
  webhookEventId,
  replays = 0,
}: Pick<WebhookEventInput, 'provider' | 'webhookEventId' | 'replays'>): string =>
  `webhook:${provider}:${webhookEventId}${replays > 0 ? `:${replays}` : ''}`;

/** The stored reports of one kind, once they have a process. */
export const reportsOf = (
  kind: 'PAYMENT' | 'INVESTMENT',
): DrivesOf<WebhookEventInput, 'provider' | 'webhookEventId' | 'replays'> => ({
  table: 'webhook_events',
  name: 'external_event_id',
  key: {
    provider: 'provider',
    externalEventId: 'external_event_id',
    webhookEventId: 'id',
    replays: 'replays',
  },
  only: { kind },
  column: 'status',
  open: ['RECEIVED', 'WAITING'],
  since: 'started_at',
  settled: ['PROCESSED', 'DEAD'],
  settledSince: 'processed_at',
  // A process that waits and is not told that its report was discarded finds out within the hour.
  endsWithin: { states: ['DISCARDED'], minutes: 70 },
});

export interface WebhookEventActivities {
  /** The deadline (ISO 8601) until which a report, waiting since `at`, waits for what it is about. */
  eventPatience: (wait: { at: string }) => Promise<string>;
  /** Marks an event dead, with the reason that administrators read; one that was applied or discarded stays so. */
  markEventDead: (event: {
    webhookEventId: string;
    reason: string;
    at: string;
    /** It is applied after all when what it waited for comes; not so one that an operator gave up. */
    waitedInVain?: true;
  }) => Promise<void>;
}
