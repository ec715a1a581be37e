import { z } from 'zod';
import type { Activity } from '../../../db/identity/user-administration/user-detail.reads';

const moment = z.iso.datetime();

/** Something that a user did, or that was done to one. */
export const UserActivity = z.object({
  type: z
    .enum(['SIGN_IN', 'ORDER', 'INVESTMENT', 'INVESTMENT_WITHDRAWAL', 'KYC', 'AUDIT'])
    .describe('The kind of event.'),
  description: z.string(),
  timestamp: moment.describe('When it happened.'),
  by: z
    .object({ id: z.uuid().describe('Identifies the administrator; a UUID.'), email: z.string() })
    .nullable()
    .meta({
      description:
        'Who made an audited change, or acted on a verification; null for the platform itself, and for anything else.',
    }),
});

export function userActivityView({ type, subject, at, by }: Activity): z.output<typeof UserActivity> {
  const descriptions: Record<Activity['type'], string> = {
    SIGN_IN: subject === '' ? 'Signed in' : `Signed in from ${subject}`,
    ORDER: `Placed order ${subject}`,
    INVESTMENT: `Made participation ${subject}`,
    INVESTMENT_WITHDRAWAL: `Withdrew participation ${subject}`,
    KYC: `Identity verification: ${subject.toLowerCase().replaceAll('_', ' ')}`,
    AUDIT: subject,
  };
  return { type, description: descriptions[type], timestamp: at.toISOString(), by };
}
