import { z } from 'zod';
import type { AdministeredPayout } from '../../../../db/commerce/payout/administered-payout.reads';
import { approvePayout } from '../../../../workflows/commerce/payout/payout.contract';
import { endpoint, type Endpoint } from '../../../http/endpoint';
import { noteOf } from '../../../http/idempotency/note';
import { perMinute } from '../../../http/limits/limits';
import { text } from '../../../http/request/fields';
import type { PayoutDesk } from '../desk';
import { decide, payoutOfAnother } from './decide';

const ApprovedPayout = z
  .object({
    id: z.uuid().describe('Identifies the payout; a UUID.'),
    status: z.literal('APPROVED'),
    approvedAt: z.iso.datetime().describe('When it was approved.'),
    approvedBy: z.uuid().describe('The administrator who approved it.'),
  })
  .meta({ id: 'ApprovedPayout' });

const approvedView = ({
  id,
  approvedAt,
  approvedBy,
}: AdministeredPayout): z.output<typeof ApprovedPayout> => ({
  id,
  status: 'APPROVED',
  approvedAt: approvedAt?.toISOString() ?? '',
  approvedBy: approvedBy ?? '',
});

export const approvePayoutEndpoint = (desk: PayoutDesk): Endpoint =>
  endpoint({
    ...desk.approve,
    summary: `Approve a ${desk.noun}`,
    description:
      'Nothing is sent yet: an approved one is then processed. No withdrawal from a wallet is approved while a bank has taken back more of its owner’s top-ups than the wallet held: FORBIDDEN with the reason TOP_UP_CHARGED_BACK.',
    tag: desk.tag,
    auth: 'admin',
    limit: perMinute(200),

    params: desk.one('PENDING'),
    body: z.object({
      note: text({ max: 2_000 }).nullish().meta({ description: 'For the audit log.', example: 'Checked.' }),
    }),
    success: 200,
    data: ApprovedPayout,
    errors: { ...desk.notFound, NOT_PENDING: 400, FORBIDDEN: 403 },

    async handle({ params: { id }, body: { note } }, context) {
      await payoutOfAnother(context, desk, id);
      const noteId = await noteOf(context, note ?? null, { entityId: id });
      return approvedView(
        await decide(context, desk, {
          ...{ id, noteId, action: 'APPROVE', update: approvePayout, command: { noteId } },
        }),
      );
    },
  });
