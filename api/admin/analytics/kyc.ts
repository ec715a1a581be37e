import { z } from 'zod';
import { REVIEWED_LEVELS } from '../../../workflows/kyc/kyc.rules';
import { count, hours, type AnalyticsPage } from './reading/page';
import type { Sums } from './reading/sums';
import { KycApprovedLevelField, KycRejectionField } from '../../kyc/kyc-enums.view';

const FIGURES = ['kyc.submitted', 'kyc.approved', 'kyc.rejected'] as const;

const figures = {
  submitted: count('Submissions, those after a request for more included.', 'when it was submitted'),
  approved: count('Verifications that were approved.', 'when it was decided'),
  rejected: count(
    'Verifications that a reviewer rejected; those whose users did not answer are none.',
    'when it was decided',
  ),
  averageHours: hours(
    'From the last submission to the decision, by the clock; 0 without any.',
    'when it was decided',
  ),
};
const point = z.object(figures);

const pointOf = (within: Sums, level?: string): z.output<typeof point> => ({
  submitted: within.count('kyc.submitted', level),
  approved: within.count('kyc.approved', level),
  rejected: within.count('kyc.rejected', level),
  averageHours: within.averageHours(['kyc.approved', 'kyc.rejected'], level),
});

const breakdown = z.object({
  byLevel: z
    .array(
      z.object({
        level: KycApprovedLevelField.describe('The level to which the identity is verified.'),
        ...figures,
      }),
    )
    .meta({ description: 'By the level that was asked for; approvals by the level that was granted.' }),
  byReason: z
    .array(
      z.object({
        reason: KycRejectionField,
        rejected: count('Rejections for this reason.', 'when it was decided'),
      }),
    )
    .meta({ description: 'By the reason of the rejection.' }),
});

export const kycPage: AnalyticsPage = {
  name: 'kyc',
  show: {
    id: 'getVerificationFigures',
    returns: 'The figures of identity verification',
    method: 'get',
    path: '/admin/analytics/kyc',
  },
  export: {
    id: 'exportVerificationFigures',
    returns: 'The figures of verification as CSV',
    method: 'get',
    path: '/admin/analytics/kyc/export',
  },
  summary: 'Show figures of identity verification',
  point,
  breakdown,
  figures: FIGURES,
  ofRange: ['reason.kyc.rejected'],
  before: [],
  pointOf: ({ within }) => pointOf(within),
  breakdownOf: ({ within, ofRange }) =>
    Promise.resolve({
      byLevel: REVIEWED_LEVELS.filter((level) => within.parts(...FIGURES).includes(level)).map((level) => ({
        level,
        ...pointOf(within, level),
      })),
      byReason: ofRange.parts('reason.kyc.rejected').map((reason) => ({
        reason,
        rejected: ofRange.count('reason.kyc.rejected', reason),
      })),
    }),
};
