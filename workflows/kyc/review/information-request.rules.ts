import { DAY_MS } from '../../kit/values/durations.rules';

/** The days after which a user who was asked for more is reminded, and after which the verification is rejected. */
export interface InformationPolicy {
  kycInfoReminderDays: number;
  kycInfoLastReminderDays: number;
  kycInfoDays: number;
}

/** The end of the time to answer a request that was made then. */
export const answerDue = (askedAt: Date, { kycInfoDays }: Pick<InformationPolicy, 'kycInfoDays'>): Date =>
  new Date(askedAt.getTime() + kycInfoDays * DAY_MS);

/** The next time after `at` at which an unanswered request has its user reminded, or ends. */
export function nextLookAt(askedAt: Date, at: Date, policy: InformationPolicy): Date {
  const end = answerDue(askedAt, policy);
  const reminders = [policy.kycInfoReminderDays, policy.kycInfoLastReminderDays]
    .map((days) => new Date(askedAt.getTime() + days * DAY_MS))
    .filter((reminder) => reminder > at && reminder < end);
  return new Date(Math.min(...[...reminders, end].map((moment) => moment.getTime())));
}
