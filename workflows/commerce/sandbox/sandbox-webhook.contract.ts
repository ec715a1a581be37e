import { defineProcess } from '../../kit/process';

export interface SandboxWebhookInput {
  /** The sandbox's own id of the event, which the webhook carries as its id. */
  eventId: string;
  /** How long the report is held back, in milliseconds. */
  delayMs: number;
}

/** GIVEN_UP: the address did not take the report for three days, which is as long as a provider tries. */
export type SandboxWebhookResult = 'DELIVERED' | 'GIVEN_UP';

/** One report of the sandbox provider on its way to our own webhook address. */
export const sandboxWebhookProcess = defineProcess<SandboxWebhookInput, SandboxWebhookResult>({
  type: 'sandboxWebhook',
  queue: 'ingest',
  area: 'commerce',
  id: ({ eventId }) => `sandbox-webhook:${eventId}`,
  entityId: ({ eventId }) => eventId,
  summary: ({ eventId }) => `Sandbox payment report ${eventId}`,
});

export interface SandboxWebhookActivities {
  /** Sends the report, signed, and remembers that it was taken. Anything but a 2xx answer is thrown. */
  deliverSandboxEvent: (event: { eventId: string }) => Promise<void>;
}
