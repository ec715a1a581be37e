import { defineProcess } from '../../kit/process';

/** The number of processes that the sweep started. */
export interface WebhookSweepResult {
  started: number;
}

/**
 * Starts the processes of webhooks that were stored and never started, of unpaid orders past their payment window and of paid orders
 * that are not begun, where they have none any more: the safety net under every webhook, every checkout and what follows it.
 */
export const webhookSweepProcess = defineProcess<Record<string, never>, WebhookSweepResult>({
  type: 'webhookSweep',
  queue: 'batch',
  area: 'administration',
  id: () => 'webhook-sweep',
  entityId: () => 'webhook-sweep',
  summary: () => 'Webhooks and checkouts that were stored and have no process',
  repeatable: true,
});

export interface WebhookSweepActivities {
  /**
   * Starts the processes of the oldest stored reports without one; a report started before is only marked. One that ten
   * sweeps could not start, although they started others, is DEAD. `full`: there may be more.
   */
  startForgottenWebhooks: (sweep: { at: string }) => Promise<{ started: number; full: boolean }>;
  /** Starts the processes of the sandbox's own reports that it never began to deliver; one batch a sweep. */
  startForgottenSandboxEvents: (sweep: { at: string }) => Promise<{ started: number }>;
  /**
   * Starts the checkouts of the unpaid orders that are longest past their payment window, and the fulfilment of orders that were paid
   * and are not begun, because their processes were lost or abandoned; one that waits for an operator is left as it is. One batch
   * of each a sweep.
   */
  startForgottenCheckouts: (sweep: { at: string }) => Promise<{ started: number }>;
  /** Starts the sender of the outbox again if somebody has ended it; else no mail goes out until a worker starts. */
  startOutboxSender: () => Promise<void>;
}
