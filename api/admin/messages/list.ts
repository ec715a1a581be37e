import { z } from 'zod';
import { deadMessages } from '../../../db/administration/outbox/dead-message.reads';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { flag } from '../../http/request/fields';
import { DeadMessageView, deadMessageView, MessageKind } from './message.view';

export const listDeadMessages = endpoint({
  id: 'listDeadMessages',
  returns: 'One page of messages that were given up',
  method: 'get',
  path: '/admin/messages',
  summary: 'List messages that could not be sent',
  description:
    'Emails and text messages that were given up, newest first. Where more than 10,000 match, `total` may be less than their number.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    kind: MessageKind.optional().describe('Only emails, or only text messages.'),
    resendable: flag()
      .optional()
      .meta({ description: 'Whether it can be sent again. Left out: whether or not.', example: true }),
  }),
  success: 200,
  paginated: true,
  data: z.object({ messages: z.array(DeadMessageView).describe('One page of messages, newest first.') }),
  errors: {},

  async handle({ query: { page, pageSize, kind = null, resendable = null } }, { db, reply }) {
    const found = await deadMessages(db, { kind, resendable }, windowOf({ page, pageSize }));
    reply.page({ total: found.total, page, pageSize });
    return { messages: found.messages.map(deadMessageView) };
  },
});
