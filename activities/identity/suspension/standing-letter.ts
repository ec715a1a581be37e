import { letter, type Letter } from '../../../db/administration/outbox/letter';
import type { StandingChange } from '../../../db/identity/user/user.transitions';

const SUBJECTS: Record<StandingChange['decision'], string> = {
  SUSPEND: 'Your account is suspended',
  ACTIVATE: 'Your account is active again',
  BAN: 'Your account is closed',
  UNBAN: 'Your account is open again',
};

/** Tells a person what was decided on their account, and why if a reason was given. */
export function standingLetter(
  { decision, until }: Pick<StandingChange, 'decision' | 'until'>,
  firstName: string,
  reason: string | null,
): Letter {
  const ends = decision === 'BAN' || decision === 'SUSPEND';
  const paragraphs = [
    `${SUBJECTS[decision]}.`,
    ...(ends && reason ? [`The reason: ${reason}`] : []),
    ...(until ? [`The suspension ends by itself on ${until.toISOString().slice(0, 10)} (UTC).`] : []),
    ...(ends ? ['Wherever you were signed in, you are signed out.'] : ['You can sign in as before.']),
  ];
  return letter({ subject: SUBJECTS[decision], greeting: `Hello ${firstName},`, paragraphs });
}
