import { discardWebhookEvent } from './discard';
import { listWebhookEventsEndpoint } from './list';
import { replayWebhookEvent } from './replay';
import { showWebhookEvent } from './show';

export const adminWebhookEventEndpoints = [
  listWebhookEventsEndpoint,
  showWebhookEvent,
  replayWebhookEvent,
  discardWebhookEvent,
];
