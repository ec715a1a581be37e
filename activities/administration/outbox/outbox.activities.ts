import type { OutboxActivities } from '../../../workflows/administration/outbox/outbox-sender.contract';
import { steps } from '../../steps';
import { sendOutbox, type OutboxDeps } from './send-outbox';

export const outboxActivities = (deps: OutboxDeps): OutboxActivities =>
  steps<OutboxActivities, OutboxDeps>(deps, { sendOutbox });
