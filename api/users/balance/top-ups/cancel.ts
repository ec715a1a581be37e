import { z } from 'zod';
import { ownTopUp } from '../../../../db/ledger/top-up/top-up-list.reads';
import { moneyLabel } from '../../../../workflows/commerce/order/order-label.rules';
import { refusal } from '../../../../workflows/errors';
import { cancelTopUp, topUpProcess } from '../../../../workflows/ledger/top-up/top-up.contract';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { idOf } from '../../../http/request/ids/id-of';

export const cancelTopUpEndpoint = endpoint({
  id: 'cancelTopUp',
  returns: 'It is cancelled',
  method: 'post',
  path: '/users/me/balance/top-ups/:id/cancel',
  summary: 'Cancel one of my top-ups that waits for its payment',
  description: 'Money that comes later is sent back. One that is cancelled already stays so.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: idOf('top-up', 'PENDING_PAYMENT') }),
  success: 200,
  data: z
    .object({ topUpId: z.uuid().describe('The top-up that it is about.'), status: z.literal('CANCELLED') })
    .meta({ id: 'CancelledTopUp' }),
  errors: { TOP_UP_NOT_FOUND: 404, CANNOT_CANCEL: 400 },

  async handle({ params: { id: topUpId } }, { db, caller, processes, request }) {
    const topUp = await ownTopUp(db, topUpId, caller.id);
    if (!topUp) throw refusal('TOP_UP_NOT_FOUND');
    if (topUp.status === 'PAID') throw refusal('CANNOT_CANCEL', 'This top-up is paid.');
    if (topUp.status === 'PENDING_PAYMENT')
      await processes.open(
        topUpProcess,
        { topUpId, userId: caller.id, label: moneyLabel(topUp), exists: true },
        cancelTopUp,
        null,
        { updateId: request.idempotencyId },
      );
    return { topUpId, status: 'CANCELLED' as const };
  },
});
