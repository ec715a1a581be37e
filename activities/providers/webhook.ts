import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ReportFacts } from '../../workflows/commerce/webhook/report-subject.rules';

/*
 * Pure, because the API imports it: the reports that other companies send, and Standard Webhooks, for the side that signs and
 * the side that verifies.
 */

/** A received report: its bytes as they were sent, and its headers by lower-case name. */
export interface SentReport {
  rawBody: Buffer;
  header: (name: string) => string | undefined;
}

/** The form of a company's reports: JSON with a `type`, and an id and a signature wherever it puts them. */
export interface ReportForm {
  /** True if the company signed these bytes with one of its active secrets within the last minutes. */
  isSigned: (sent: SentReport, now: Date) => boolean | Promise<boolean>;
  /** The report's id, unchecked, and the name of the header or of the field in the body that has it. */
  idOf: (header: SentReport['header'], value: unknown) => { name: string; id: unknown };
  /** True if a report is about something of ours and is applied; others are stored and change nothing. */
  isKnown: (type: string, value: unknown) => boolean;
  factsOf: (type: string, value: unknown) => ReportFacts;
}

/** The three headers of Standard Webhooks, as they came. */
export interface WebhookHeaders {
  id: string | undefined;
  timestamp: string | undefined;
  /** Several signatures, separated by spaces, while the sender changes its secret. */
  signature: string | undefined;
}

/** Standard Webhooks: id, time and signature are in headers. `secrets`: `whsec_…`. */
export const standardForm = (
  secrets: readonly string[],
  reading: Pick<ReportForm, 'isKnown' | 'factsOf'>,
): ReportForm => ({
  ...reading,
  isSigned: ({ rawBody, header }, now) =>
    isSigned(
      rawBody,
      {
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
      },
      secrets,
      now,
    ),
  idOf: (header) => ({ name: 'webhook-id', id: header('webhook-id') }),
});

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

/** The key inside a Standard Webhooks secret: `whsec_` and base64. */
export const secretKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
