import { z } from 'zod';
import { ownTopUp } from '../../../../db/ledger/top-up/top-up-list.reads';
import { refusal } from '../../../../workflows/errors';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { TopUpView, topUpView } from './top-up.view';
import { idOf } from '../../../http/request/ids/id-of';

export const showTopUp = endpoint({
  id: 'getTopUp',
  returns: 'The top-up',
  method: 'get',
  path: '/users/me/balance/top-ups/:id',
  summary: 'Show one of my top-ups',
  description: 'With the way to pay it, while it waits for its payment.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: idOf('top-up') }),
  success: 200,
  data: TopUpView,
  errors: { TOP_UP_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db, caller }) {
    const topUp = await ownTopUp(db, id, caller.id);
    if (!topUp) throw refusal('TOP_UP_NOT_FOUND');
    return topUpView(topUp, new Date());
  },
});
