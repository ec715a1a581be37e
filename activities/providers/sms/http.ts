import { UndeliverableSms, type SmsProvider } from './port';

interface SmsGateway {
  url: string;
  /** Authenticates us. */
  token: string;
}

const ANSWER_MS = 15_000;
/** Statuses by which the gateway refuses a message for good. */
const FINAL = new Set([400, 422]);

/**
 * Hands messages to a gateway: POST { to, text } with a bearer token. `Idempotency-Key` is the message's id, so that
 * a message handed over twice is sent once. A redirect is a failure: it would send text and token elsewhere.
 */
export const httpSms = ({ url, token }: SmsGateway): SmsProvider => ({
  async send({ id, to, text }) {
    const { ok, status, body } = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${token}`,
        'Idempotency-Key': id,
      },
      body: JSON.stringify({ to, text }),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await body?.cancel();
    if (FINAL.has(status)) throw new UndeliverableSms(`The SMS gateway refuses the message: ${status}.`);
    if (!ok) throw new Error(`The SMS gateway answered ${status}.`);
  },
});
