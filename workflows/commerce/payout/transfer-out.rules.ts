import { DAY_MS } from '../../kit/values/durations.rules';
import { UUID_PATTERN } from '../../kit/values/uuid.rules';

/** The code of our own bank account: a person sends the money from there and settles it. */
export const BY_HAND = 'bank';

/** Money on its way out, as a process drives it. */
export interface TransferOut {
  /** The code of the provider that sends it. */
  provider: string;
  /** From then on operators are told that it has not arrived (ISO 8601). */
  overdueAt: string;
}

/**
 * UNDER_WAY: the provider has it, and has not said whether it arrived. STOPPED: nothing was requested from it, since payouts are stopped,
 * by a difference with a provider or after a restore. ENDED: its outcome is recorded.
 */
export type TransferProgress = 'UNDER_WAY' | 'STOPPED' | 'ENDED';

/** The words for operators about a transfer that nobody sends, and what ends that. */
export const STOPPED_WORDS =
  'Nothing was sent: a difference with a provider, or a restore, stops payouts. ' +
  'Resolve it: GET /admin/reconciliation/differences. A restore is released by npm run restored.';

/** The words for operators about a transfer that has not ended for too long. A bank learns of it by its file only. */
export function whyLate(provider: string, progress: 'UNDER_WAY' | 'STOPPED'): string {
  if (progress === 'STOPPED') return STOPPED_WORDS;
  return provider === 'bank-file'
    ? 'It waits for a bank file, or for the bank: make the file, enter the bank’s report on it, or withdraw it.'
    : 'The provider does not say whether the money arrived.';
}

/**
 * An attempt at a provider that ended without the provider's word: it did not know the attempt, or could not tell any more. It may
 * have been carried out, so it is looked up before the money goes anywhere else.
 */
export interface UnprovenAttempt {
  attempt: number;
  /** The code of the provider. */
  provider: string;
}

/**
 * The key of an attempt at a provider: the id of what is paid out or back, and the number of the attempt, from 1 on. The next number begins
 * only after a certain refusal; an attempt whose outcome is unknown keeps its key, so that no provider carries it out twice.
 */
export const transferKey = (id: string, attempt: number): string => `${id}:${attempt}`;

/** The form of such a key. */
export const TRANSFER_KEY = new RegExp(`^(${UUID_PATTERN}):([1-9]\\d{0,8})$`);

/** The id in a key; null: it is none of ours. */
export const idInKey = (key: string): string | null => TRANSFER_KEY.exec(key)?.[1] ?? null;

/** The number of the attempt by whose key something was found, where that is not the key that was looked up. */
export function otherAttempt(found: string, lookedUp: string): { otherAttempt?: number } {
  const attempt = found === lookedUp ? undefined : TRANSFER_KEY.exec(found)?.[2];
  return attempt === undefined ? {} : { otherAttempt: Number(attempt) };
}

/** The date (ISO 8601, UTC) so many business days, Monday to Friday, after a moment. */
export function businessDateAfter(from: Date, businessDays: number): string {
  let day = from.getTime();
  for (let left = businessDays; left > 0;) {
    day += DAY_MS;
    if (![0, 6].includes(new Date(day).getUTCDay())) left--;
  }
  return new Date(day).toISOString().slice(0, 10);
}
