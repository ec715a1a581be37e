import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { text } from '../../../http/request/fields';
import { actorOf } from '../../actor';
import { idOf } from '../../../http/request/ids/id-of';
import { wakeProcesses } from '../ending/wake-processes';
import { CollectedTransfer, collectedView } from './collected.view';
import { refuseTransfer } from './refuse.command';

export const refuseCollectedTransfer = endpoint({
  id: 'refuseCollectedTransfer',
  returns: 'The transfer, which is refused',
  method: 'post',
  path: '/admin/bank-files/collected/:id/refuse',
  summary: 'Take a transfer out of the next file',
  description:
    'It is refused for good, and what is paid out goes on as after any refusal. Do this before its money is sent in another way. Nobody refuses a transfer to themselves, nor, above the amount that the platform sets, one that they have had sent: FORBIDDEN, the latter with the reason SECOND_ADMINISTRATOR_REQUIRED.',
  tag: 'Administration: bank files',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('collected transfer') }),
  body: z.object({
    reason: text({ min: 1, max: 200 }).meta({ example: 'The account is closed.' }),
  }),
  success: 200,
  data: CollectedTransfer,
  errors: { TRANSFER_NOT_FOUND: 404, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { reason } }, context) {
    const { transfer, subjects } = await refuseTransfer(context, { id, reason }, actorOf(context));
    await wakeProcesses(context, subjects);
    return collectedView(transfer);
  },
});
