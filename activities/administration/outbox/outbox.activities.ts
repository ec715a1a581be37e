import type { OutboxActivities } from '../../../workflows/administration/outbox/outbox-sender.contract';
import { sendOutbox, type OutboxDeps } from './send-outbox';

export const outboxActivities = (deps: OutboxDeps): OutboxActivities => ({
  sendOutbox: (stretch) => sendOutbox(deps, stretch),
});
