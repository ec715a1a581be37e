import { z } from 'zod';
import { queuedVerifications, queueStats } from '../../../../db/kyc/review/queue.reads';
import { paging, SortOrderField, windowOf } from '../../../http/answer/paging';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { uuid } from '../../../http/request/fields';
import {
  KycQueueItem,
  KycQueueStats,
  queueItemView,
  queueStatsView,
  KycQueueStatusField,
} from './queue.view';
import { KycPriorityField } from '../../../kyc/kyc-enums.view';

export const listKycQueue = endpoint({
  id: 'listKycQueue',
  returns: 'One page of the queue, and how long it is',
  method: 'get',
  path: '/admin/kyc/queue',
  summary: 'List the verifications to review',
  description:
    'The most urgent first, and of these the longest waiting. By `submittedAt` the oldest are first. `sortOrder` turns either around.',
  tag: 'Administration: identity verification',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(50),
    status: KycQueueStatusField.optional(),
    priority: KycPriorityField.optional().describe('Only those of this urgency.'),
    assignedTo: z
      .union([z.literal('me'), uuid()], 'must be `me` or a UUID')
      .optional()
      .meta({
        description: 'Only those that this administrator has claimed; `me`: the caller.',
        example: 'me',
      }),
    sortBy: z.enum(['submittedAt', 'priority']).default('priority'),
    sortOrder: SortOrderField.optional().meta({
      description: 'Ascending or descending; by default priorities descend and times ascend.',
    }),
  }),
  success: 200,
  paginated: true,
  data: z.object({
    submissions: z.array(KycQueueItem).describe('One page of verifications to review.'),
    stats: KycQueueStats.describe('How many wait, and how long a review takes.'),
  }),
  errors: {},

  async handle({ query }, { caller, db, reply }) {
    const { page, pageSize, status, priority, assignedTo, sortBy } = query;
    const sortOrder = query.sortOrder ?? (sortBy === 'priority' ? 'desc' : 'asc');
    const filter = { status, priority, assignedTo: assignedTo === 'me' ? caller.id : assignedTo };
    const [submissions, stats] = await Promise.all([
      queuedVerifications(db, filter, { sortBy, sortOrder, ...windowOf({ page, pageSize }) }),
      queueStats(db, filter),
    ]);
    reply.page({ total: stats.total, page, pageSize });
    const now = new Date();
    return {
      submissions: submissions.map((submission) => queueItemView(submission, now)),
      stats: queueStatsView(stats),
    };
  },
});
