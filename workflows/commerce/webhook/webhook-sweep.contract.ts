import { defineProcess } from '../../kit/process';

/** The number of processes that the sweep started. */
export interface WebhookSweepResult {
  started: number;
}

/** Starts the processes of webhooks that were stored and never started: the safety net under every webhook. */
export const webhookSweepProcess = defineProcess<Record<string, never>, WebhookSweepResult>({
  type: 'webhookSweep',
  queue: 'batch',
  area: 'administration',
  id: () => 'webhook-sweep',
  entityId: () => 'webhook-sweep',
  summary: () => 'Webhooks that were stored and not started',
  repeatable: true,
});

export interface WebhookSweepActivities {
  /**
   * Starts the processes of the oldest stored reports without one; a report started before is only marked. One that ten
   * sweeps could not start, although they started others, is DEAD. `full`: there may be more.
   */
  startForgottenWebhooks: (sweep: { at: string }) => Promise<{ started: number; full: boolean }>;
  /** The same for the sandbox's own reports that it never began to deliver; one batch a sweep. */
  startForgottenSandboxEvents: (sweep: { at: string }) => Promise<{ started: number }>;
  /** Starts the sender of the outbox again if somebody has ended it; else no mail goes out until a worker starts. */
  startOutboxSender: () => Promise<void>;
}
