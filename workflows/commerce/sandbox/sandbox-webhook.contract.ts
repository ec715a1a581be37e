import { defineProcess } from '../../kit/process';

export interface SandboxWebhookInput {
  /** The sandbox's own id of the event, which the webhook carries as its id. */
  eventId: string;
  /** The delay before the report is sent. */
  delayMs: number;
}

/** GIVEN_UP: the address did not accept the report for three days, which is as long as a provider tries. */
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
  /** Sends the report, signed, and records that it was accepted. Throws for any answer but 2xx. */
  deliverSandboxEvent: (event: { eventId: string }) => Promise<void>;
}
