import { z } from 'zod';
import { rejectPayout } from '../../../../workflows/commerce/payout/payout.contract';
import { endpoint, type Endpoint } from '../../../http/endpoint';
import { noteOf } from '../../../http/idempotency/note';
import { perMinute } from '../../../http/limits/limits';
import { text } from '../../../http/request/fields';
import type { PayoutDesk } from '../desk';
import { decide, payoutOfAnother } from './decide';

const RejectedPayout = z
  .object({
    id: z.uuid().describe('Identifies the payout; a UUID.'),
    status: z.literal('REJECTED'),
    reason: z.string().describe('Why it is rejected; the owner reads it.'),
    rejectedAt: z.iso.datetime().describe('When it was rejected.'),
    rejectedBy: z.uuid().describe('The administrator who rejected it.'),
    fundsReturned: z.boolean().describe('Whether the money is back; false: it is forfeited.'),
  })
  .meta({ id: 'RejectedPayout' });

export const rejectPayoutEndpoint = (desk: PayoutDesk): Endpoint =>
  endpoint({
    ...desk.reject,
    summary: `Reject a ${desk.noun}`,
    description: 'While it is PENDING or APPROVED. The owner gets an email with the reason.',
    tag: desk.tag,
    auth: 'admin',
    limit: perMinute(200),

    params: desk.one('PENDING', 'APPROVED'),
    body: z.object({
      reason: text({ min: 1, max: 500 }).meta({ example: 'The account is of somebody else.' }),
      returnToBalance: z
        .boolean()
        .default(true)
        .meta({ description: 'Whether the money goes back; false: it is forfeited.' }),
    }),
    success: 200,
    data: RejectedPayout,
    errors: { ...desk.notFound, NOT_REJECTABLE: 400, CANNOT_SETTLE: 400, FORBIDDEN: 403 },

    async handle({ params: { id }, body: { reason, returnToBalance } }, context) {
      await payoutOfAnother(context, desk, id);
      const noteId = await noteOf(context, reason, { entityId: id });
      const payout = await decide(context, desk, {
        ...{ id, noteId, action: 'REJECT', update: rejectPayout },
        command: { noteId, returnsFunds: returnToBalance },
      });
      return {
        id,
        status: 'REJECTED' as const,
        reason: payout.rejectionReason ?? '',
        rejectedAt: payout.endedAt?.toISOString() ?? '',
        rejectedBy: payout.decidedBy ?? '',
        fundsReturned: payout.fundsReturned ?? false,
      };
    },
  });
