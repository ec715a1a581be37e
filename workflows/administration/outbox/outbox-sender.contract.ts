import { defineProcess } from '../../kit/process';

/** Sends the messages of the outbox, without end; one process for all workers. */
export const outboxSenderProcess = defineProcess<Record<string, never>, never>({
  type: 'outboxSender',
  queue: 'batch',
  area: 'administration',
  id: () => 'outbox-sender',
  entityId: () => 'outbox',
  repeatable: true,
  summary: () => 'Sender of queued mails and text messages',
});

/** The outcomes of one stretch of sending, as counts of messages. */
export interface SendingResult {
  sent: number;
  /** Tries that failed and will be repeated. */
  failed: number;
  /** Messages given up. */
  dead: number;
}

export interface OutboxActivities {
  /** Sends due messages until `forMs` have passed or it is cancelled; ends between batches. */
  sendOutbox: (stretch: { forMs: number }) => Promise<SendingResult>;
}
