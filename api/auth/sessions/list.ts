import { z } from 'zod';
import { liveSessionsOf, type ListedSession } from '../../../db/identity/session/session.reads';
import { endpoint } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits/limits';
import { paging, windowOf } from '../../http/answer/paging';

const Session = z
  .object({
    id: z.uuid(),
    deviceFingerprint: z
      .string()
      .nullable()
      .meta({ description: 'What the client named itself when it signed in.', example: 'laptop' }),
    ipAddress: z
      .string()
      .meta({ description: 'The address of the client on the network.', example: '203.0.113.7' }),
    userAgent: z
      .string()
      .meta({ description: 'Empty when the client named none.', example: 'Mozilla/5.0 (X11; Linux x86_64)' }),
    location: z
      .object({
        country: z.string().nullable().meta({
          description: 'An ISO 3166-1 alpha-2 code, estimated from the IP address; null if unknown.',
          example: 'DE',
        }),
        city: z.string().nullable().meta({
          description: 'Town or city, estimated from the IP address; null if unknown.',
          example: 'Berlin',
        }),
      })
      .meta({ description: 'Estimated from the address.' }),
    isCurrent: z.boolean().describe('True for the session of this request.'),
    createdAt: z.iso.datetime(),
    lastActiveAt: z.iso.datetime().describe('When the session last made a request.'),
    expiresAt: z.iso.datetime().describe('When the session ends unless it is refreshed.'),
  })
  .meta({ id: 'Session' });

export const listSessions = endpoint({
  id: 'listSessions',
  returns: 'One page of open sessions',
  method: 'get',
  path: '/auth/sessions',
  summary: 'List where you are signed in, newest first',
  description: 'Sessions that are open, with the device and the estimated place of each.',
  tag: 'Authentication',
  auth: 'user',
  limit: authPerMinute(100),

  query: z.object(paging(50)),
  success: 200,
  paginated: true,
  data: z.object({ sessions: z.array(Session).describe('Sign-ins of the account, newest first.') }),
  errors: {},

  async handle({ query: { page, pageSize } }, { caller, db, reply }) {
    const found = await liveSessionsOf(db, caller.id, windowOf({ page, pageSize }));
    reply.page({ total: found.total, page, pageSize });
    return { sessions: found.sessions.map((session) => sessionView(session, caller.sessionId)) };
  },
});

const sessionView = ({ country, city, ...session }: ListedSession, currentId: string) => ({
  ...session,
  userAgent: session.userAgent ?? '',
  location: { country, city },
  isCurrent: session.id === currentId,
  createdAt: session.createdAt.toISOString(),
  lastActiveAt: session.lastActiveAt.toISOString(),
  expiresAt: session.expiresAt.toISOString(),
});
