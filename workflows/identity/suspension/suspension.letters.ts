import { dayInWords, salutation } from '../../administration/outbox/letter.rules';
import type { StatusDecisionName } from '../user/user.rules';

const SUBJECTS: Record<StatusDecisionName, string> = {
  SUSPEND: 'Your account is suspended',
  ACTIVATE: 'Your account is active again',
  BAN: 'Your account is closed',
  UNBAN: 'Your account is open again',
};

/** The mail about a decision on an account. The reason is shown where the decision takes access away. */
export function statusChangedLetter(
  { decision, until }: { decision: StatusDecisionName; until: Date | null },
  firstName: string,
  reason: string | null,
) {
  const ends = decision === 'BAN' || decision === 'SUSPEND';
  const paragraphs = [
    `${SUBJECTS[decision]}.`,
    ...(ends && reason ? [`Reason: ${reason}`] : []),
    ...(until ? [`The suspension ends on ${dayInWords(until)} (UTC).`] : []),
    ...(ends ? ['You have been signed out on all devices.'] : ['You can sign in again.']),
  ];
  return { subject: SUBJECTS[decision], greeting: salutation(firstName), paragraphs };
}
