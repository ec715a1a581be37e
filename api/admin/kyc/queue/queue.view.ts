import { z } from 'zod';
import {
  QUEUED_STATUSES,
  type QueuedVerification,
  type QueueStats,
} from '../../../../db/kyc/review/queue.reads';
import { Person } from '../../person.view';
import { KycPriorityField, KycRequestedLevelField } from '../../../kyc/kyc-enums.view';

export const KycQueueStatusField = z.enum(QUEUED_STATUSES).meta({
  id: 'KycQueueStatus',
  description:
    'SUBMITTED: nobody has claimed it. UNDER_REVIEW: a reviewer has. NEEDS_INFO: its user is to answer.',
});

const MS_PER_HOUR = 3_600_000;

export const KycQueueItem = z
  .object({
    id: z.uuid().describe('Identifies the verification; a UUID.'),
    user: Person.describe('The user whose identity it is.'),
    status: KycQueueStatusField,
    level: KycRequestedLevelField.meta({ description: 'The level that the user asks for.' }),
    priority: KycPriorityField,
    submittedAt: z.iso.datetime().describe('When the documents were handed in.'),
    dueAt: z.iso
      .datetime()
      .nullable()
      .describe('When the review should be over, or the user should have answered; null once it is decided.'),
    assignedTo: z.uuid().nullable().describe('The reviewer who has claimed it; null while nobody has.'),
    assignedToEmail: z
      .string()
      .nullable()
      .describe('The email address of `assignedTo`; null while nobody has claimed it.'),
    documentsCount: z.int().describe('How many documents it holds.'),
    waitingTime: z.number().meta({ description: 'Hours since it was submitted, with one decimal.' }),
  })
  .meta({ id: 'KycQueueItem' });

export const KycQueueStats = z
  .object({
    pending: z.int().meta({ description: 'How many nobody has claimed.' }),
    underReview: z.int().meta({ description: 'How many a reviewer has claimed.' }),
    needsInfo: z.int().meta({ description: 'How many wait for an answer of their user.' }),
    averageProcessingTime: z.number().meta({
      description:
        'Hours from the first submission to the decision, on average over the last 90 days; 0 without a decision.',
    }),
  })
  .meta({ id: 'KycQueueStats' });

/** A number of hours with one decimal. */
const rounded = (hours: number): number => Math.round(hours * 10) / 10;

export const queueItemView = (found: QueuedVerification, now: Date): z.output<typeof KycQueueItem> => ({
  id: found.id,
  user: { id: found.userId, email: found.email, name: found.name },
  status: found.status,
  level: found.requestedLevel,
  priority: found.priority,
  submittedAt: found.submittedAt.toISOString(),
  dueAt: found.dueAt?.toISOString() ?? null,
  assignedTo: found.assignedTo,
  assignedToEmail: found.assignedEmail,
  documentsCount: found.documentsCount,
  waitingTime: rounded(Math.max(0, now.getTime() - found.submittedAt.getTime()) / MS_PER_HOUR),
});

export const queueStatsView = ({
  pending,
  underReview,
  needsInfo,
  averageHours,
}: QueueStats): z.output<typeof KycQueueStats> => ({
  pending,
  underReview,
  needsInfo,
  averageProcessingTime: rounded(averageHours ?? 0),
});
