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
    ...(ends && reason ? [`The reason: ${reason}`] : []),
    ...(until ? [`The suspension ends by itself on ${until.toISOString().slice(0, 10)} (UTC).`] : []),
    ...(ends ? ['Wherever you were signed in, you are signed out.'] : ['You can sign in as before.']),
  ];
  return { subject: SUBJECTS[decision], greeting: `Hello ${firstName},`, paragraphs };
}
