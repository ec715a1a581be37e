import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { resend } from './resend.command';
import { idOf } from '../../http/request/ids/id-of';

export const resendMessage = endpoint({
  id: 'resendMessage',
  returns: 'The message, which waits to be sent',
  method: 'post',
  path: '/admin/messages/:id/resend',
  summary: 'Send a message again that could not be sent',
  description:
    'It is queued with new tries, to the same address, and leaves the list until it is given up again. CANNOT_RESEND with the reason MESSAGE_EXPIRED, MESSAGE_ERASED or MESSAGE_WITHDRAWN: it has no content any more.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('message', 'DEAD') }),
  success: 200,
  data: z
    .object({ id: z.uuid().describe('Identifies the message; a UUID.'), status: z.literal('WAITING') })
    .meta({ id: 'ResentMessage', description: 'A message that waits to be sent.' }),
  errors: { MESSAGE_NOT_FOUND: 404, NOT_DEAD: 409, CANNOT_RESEND: 400 },
  atomic: true,

  async handle({ params: { id } }, context) {
    await resend(context.db, id, actorOf(context));
    return { id, status: 'WAITING' as const };
  },
});
