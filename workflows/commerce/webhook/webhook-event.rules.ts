/** The progress of a stored report. DEAD: a person decides. DISCARDED: a person decided that it is never applied. */
export const WEBHOOK_EVENT_STATUSES = [
  'RECEIVED',
  'PROCESSED',
  'WAITING',
  'IGNORED',
  'DEAD',
  'DISCARDED',
] as const;
export type WebhookEventStatus = (typeof WEBHOOK_EVENT_STATUSES)[number];
