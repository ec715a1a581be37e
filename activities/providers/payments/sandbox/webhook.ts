import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import {
  sandboxLinkText,
  SANDBOX_TRANSFERS_TEXT,
  type SandboxLink,
} from '../../../../workflows/commerce/sandbox/sandbox-link.rules';

/*
 * The sandbox's signatures, for the side that signs and the side that verifies. This file is pure, because api may import
 * it from here.
 */

/** The three headers of Standard Webhooks, as they came. */
export interface WebhookHeaders {
  id: string | undefined;
  timestamp: string | undefined;
  /** Several signatures, separated by spaces, while the sender changes its secret. */
  signature: string | undefined;
}

/** The largest difference between the sender's clock and ours, in both directions; an older report is a replay. */
const TOLERANCE_SECONDS = 300;
/** The most signatures that are compared; no sender has more, and each costs work. */
const MOST_SIGNATURES = 10;

/**
 * True if a webhook's bytes were signed, within the last minutes, with one of these secrets (`whsec_…`; two are live
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
    const expected = digest(webhookSignature({ id, timestamp, body }, secret));
    for (const offer of offered) signed = timingSafeEqual(offer, expected) || signed;
  }
  return signed;
}

/** A digest of fixed length, so that a comparison reveals neither the length nor the nearness of a guess. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The signature of a Standard Webhook, as its header carries it; `timestamp`: seconds since 1970. */
export function webhookSignature(
  { id, timestamp, body }: { id: string; timestamp: string; body: Buffer | string },
  secret: string,
): string {
  const mac = createHmac('sha256', secretKey(secret)).update(`${id}.${timestamp}.`).update(body);
  return `v1,${mac.digest('base64')}`;
}

/** The signature of a link to the sandbox's page. */
export const linkSignature = (link: SandboxLink, secret: string): Buffer =>
  createHmac('sha256', secretKey(secret)).update(sandboxLinkText(link)).digest();

/** The signature of the address of the sandbox's page of transfers. */
export const transfersSignature = (secret: string): Buffer =>
  createHmac('sha256', secretKey(secret)).update(SANDBOX_TRANSFERS_TEXT).digest();

/** The key inside a Standard Webhooks secret: `whsec_` and base64. */
export const secretKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
