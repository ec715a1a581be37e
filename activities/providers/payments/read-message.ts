import { standardMessage, type PaymentMessage } from './message';
import type { PaymentWebhook } from './webhook';
import { paymentWebhooks } from './webhooks';

/** Reads the providers' messages from the text of their events. */
export type ReadMessage = (provider: string, body: string) => PaymentMessage | null;

/**
 * Reads events of these providers, and in the standard form those of a provider that is no longer listed; null for one that is not
 * of its provider's form.
 */
export const messagesOf =
  (webhooks: readonly Pick<PaymentWebhook<never>, 'code' | 'readMessage'>[]): ReadMessage =>
  (provider, body) => {
    const { readMessage: read = standardMessage } = webhooks.find(({ code }) => code === provider) ?? {};
    return read(parseJson(body));
  };

/** Reads an event of a provider of this release. */
export const readMessage: ReadMessage = messagesOf(paymentWebhooks);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
