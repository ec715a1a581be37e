import { defineProcess } from '../../kit/process';

/** How many processes the sweep started. */
export interface WebhookSweepResult {
  started: number;
}

/** Starts what a provider reported and we stored, but never started: the safety net under every webhook. */
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
   * Starts the oldest payment reports that were stored and not started; one that was started before is only marked.
   * `full`: there may be more.
   */
  startForgottenWebhooks: (sweep: { at: string }) => Promise<{ started: number; full: boolean }>;
  /** The same for what the sandbox's page recorded and its provider never began to deliver; one batch a sweep. */
  startForgottenSandboxEvents: (sweep: { at: string }) => Promise<{ started: number }>;
  /** Starts the sender of the outbox again if somebody has ended it; no mail would go out until a worker starts. */
  startOutboxSender: () => Promise<void>;
}
