import { z } from 'zod';
import { KYC_REJECTIONS, REVIEWED_LEVELS } from '../../../workflows/kyc/kyc.rules';
import { count, hours, type AnalyticsPage, type PointSums } from './reading/page';

const point = z.object({
  submitted: count('Submissions, those after a request for more included.'),
  approved: count('Verifications that were approved.'),
  rejected: count('Verifications that a reviewer rejected.'),
  approvalRate: z
    .number()
    .meta({ description: 'Approved ones in percent of those decided; 0 without any.', example: 87.5 }),
  averageProcessingHours: hours('From the last submission to the decision, by the clock; 0 without any.'),
});

function pointOf({ within }: PointSums): z.output<typeof point> {
  const approved = within.count('kyc.approved');
  const rejected = within.count('kyc.rejected');
  const decided = approved + rejected;
  return {
    ...{ submitted: within.count('kyc.submitted'), approved, rejected },
    approvalRate: decided === 0 ? 0 : Math.round((approved * 10_000) / decided) / 100,
    averageProcessingHours: within.averageHours('kyc.approved', 'kyc.rejected'),
  };
}

const breakdown = z.object({
  byLevel: z
    .array(z.object({ level: z.enum(REVIEWED_LEVELS), approved: count('Approvals of this level.') }))
    .meta({ description: 'By the approved level.' }),
  byRejection: z
    .array(z.object({ reason: z.enum(KYC_REJECTIONS), rejected: count('Rejections for this reason.') }))
    .meta({ description: 'By the reason of the rejection.' }),
});

export const kycPage: AnalyticsPage = {
  name: 'kyc',
  show: { method: 'get', path: '/admin/analytics/kyc' },
  export: { method: 'get', path: '/admin/analytics/kyc/export' },
  summary: 'Show figures of identity verification',
  point,
  breakdown,
  figures: ['kyc.submitted', 'kyc.approved', 'kyc.rejected'],
  ofRange: [],
  before: [],
  pointOf,
  breakdownOf: ({ within }) =>
    Promise.resolve({
      byLevel: within
        .parts('kyc.approved')
        .map((level) => ({ level, approved: within.count('kyc.approved', level) })),
      byRejection: within
        .parts('kyc.rejected')
        .map((reason) => ({ reason, rejected: within.count('kyc.rejected', reason) })),
    }),
};
