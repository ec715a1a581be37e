import { defineSignal } from '@temporalio/workflow';

/** Makes the process of a waiting report try again now: what it waits for may have come, or a person asks for it. */
export const tryEventAgain = defineSignal('tryEventAgain');

export interface WebhookEventActivities {
  /** The deadline (ISO 8601) until which a report, waiting since `at`, waits for what it is about. */
  eventPatience: (wait: { at: string }) => Promise<string>;
  /** Marks an event dead, with the reason that administrators read; one that was applied or discarded stays so. */
  buryEvent: (event: {
    webhookEventId: string;
    reason: string;
    at: string;
    /** It is applied after all when what it waited for comes; not so one that an operator gave up. */
    waitedInVain?: true;
  }) => Promise<void>;
}
