import { defineProcess } from '../../kit/process';

/** Sends what the outbox owes, for as long as the platform lives. One for all workers. */
export const outboxSenderProcess = defineProcess<Record<string, never>, never>({
  type: 'outboxSender',
  queue: 'batch',
  area: 'administration',
  id: () => 'outbox-sender',
  entityId: () => 'outbox',
  repeatable: true,
  summary: () => 'Mail and messages owed to people',
});

/** What became of the messages of one stretch of sending. */
export interface SendingResult {
  sent: number;
  /** Tries that failed and will be made again. */
  failed: number;
  /** Messages that were given up. */
  dead: number;
}

export interface OutboxActivities {
  /** Sends what is due and what becomes due, until `forMs` have passed or it is cancelled; ends between messages. */
  sendOutbox: (stretch: { forMs: number }) => Promise<SendingResult>;
}
