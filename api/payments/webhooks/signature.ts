import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The three headers of Standard Webhooks, as they came. */
export interface WebhookHeaders {
  id: string | undefined;
  timestamp: string | undefined;
  /** Several signatures, parted by spaces, while the sender changes its secret. */
  signature: string | undefined;
}

/** How far the sender's clock may stand from ours, in both directions; older is a recording. */
const TOLERANCE_SECONDS = 300;
/** More signatures than anyone sends only cost us work. */
const MOST_SIGNATURES = 10;

/**
 * Whether a webhook's bytes were signed, within the last minutes, with one of these secrets (`whsec_…`; two are live
 * while a secret is changed). Takes the same time however wrong a signature is.
 */
export function isSigned(
  body: Buffer,
  { id, timestamp, signature }: WebhookHeaders,
  secrets: readonly string[],
  now: Date,
): boolean {
  if (!id || !timestamp || !signature || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const offered = signature.split(' ', MOST_SIGNATURES).map(digest);
  let signed = false;
  for (const secret of secrets) {
    const mac = createHmac('sha256', secretKey(secret))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest('base64');
    const expected = digest(`v1,${mac}`);
    for (const offer of offered) signed = timingSafeEqual(offer, expected) || signed;
  }
  return signed;
}

/** Digests have one length, so comparing them tells nothing about how long or how near the guess was. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The key inside a Standard Webhooks secret: `whsec_` and base64. */
export const secretKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
