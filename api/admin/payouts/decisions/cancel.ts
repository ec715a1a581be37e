import { z } from 'zod';
import { cancelPayout } from '../../../../workflows/commerce/payout/payout.contract';
import { endpoint, type Endpoint } from '../../../http/endpoint';
import { noteOf } from '../../../http/idempotency/note';
import { perMinute } from '../../../http/limits/limits';
import { text } from '../../../http/request/fields';
import type { PayoutDesk } from '../desk';
import { adminPayoutView } from '../payout.view';
import { decide, payoutOfAnother } from './decide';

export const cancelPayoutEndpoint = (desk: PayoutDesk): Endpoint =>
  endpoint({
    ...desk.cancel,
    summary: `Cancel a ${desk.noun}`,
    description:
      'While it is PENDING or APPROVED. The money goes back, and the owner gets an email with the reason. CANNOT_SETTLE: a provider may have sent it.',
    tag: desk.tag,
    auth: 'admin',
    limit: perMinute(200),

    params: desk.one('PENDING', 'APPROVED'),
    body: z.object({
      reason: text({ min: 1, max: 500 }).meta({ example: 'At the request of the owner.' }),
    }),
    success: 200,
    data: desk.row,
    errors: { ...desk.notFound, NOT_CANCELLABLE: 400, CANNOT_SETTLE: 400, FORBIDDEN: 403 },

    async handle({ params: { id }, body: { reason } }, context) {
      await payoutOfAnother(context, desk, id);
      const noteId = await noteOf(context, reason, { entityId: id });
      return adminPayoutView(
        await decide(context, desk, {
          ...{ id, noteId, action: 'CANCEL', update: cancelPayout, command: { noteId, byOwner: false } },
        }),
      );
    },
  });
