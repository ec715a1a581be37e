import { HOUR_MS } from '../../kit/values/durations.rules';

const SLOT_HOURS = 6;

/** The scheduled time that a run belongs to, such as 2026-11-23T06 (UTC). */
export const slotOf = (at: Date): string =>
  new Date(Math.floor(at.getTime() / (SLOT_HOURS * HOUR_MS)) * SLOT_HOURS * HOUR_MS)
    .toISOString()
    .slice(0, 13);

/** The end of a push that began at this time: no push meets the one of the next slot. ISO 8601. */
export const pushEndsBy = (startedAt: string): string =>
  new Date(Date.parse(startedAt) + (SLOT_HOURS - 0.5) * HOUR_MS).toISOString();

/**
 * The meaning of a provider's answer to a batch. UNKNOWN: it is sent again. CONTENT_REFUSED: some user in it may be the
 * reason; REFUSED: anything would be refused.
 */
export type PushOutcome = 'ACCEPTED' | 'REFUSED' | 'CONTENT_REFUSED' | 'UNKNOWN';

const TIMEOUT = 408;
const TOO_MANY = 429;
/** Answers of providers that read the batch. */
const ABOUT_CONTENT: readonly number[] = [400, 409, 413, 422];

/**
 * Chosen: a redirect is a refusal as well. It is not followed, and the same answer would come again until somebody changes
 * the provider's address.
 */
export function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'ACCEPTED';
  if (ABOUT_CONTENT.includes(status)) return 'CONTENT_REFUSED';
  const isFinal = status >= 300 && status < 500 && status !== TIMEOUT && status !== TOO_MANY;
  return isFinal ? 'REFUSED' : 'UNKNOWN';
}
