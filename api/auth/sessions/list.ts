import { z } from 'zod';
import { liveSessionsOf, type ListedSession } from '../../../db/identity/session/session.reads';
import { endpoint } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits/limits';
import { paging, windowOf } from '../../http/answer/paging';

const Session = z
  .object({
    id: z.uuid(),
    deviceFingerprint: z.string().nullable().meta({ example: 'laptop' }),
    ipAddress: z.string().meta({ example: '203.0.113.7' }),
    userAgent: z
      .string()
      .meta({ description: 'Empty when the client named none.', example: 'Mozilla/5.0 (X11; Linux x86_64)' }),
    location: z
      .object({
        country: z.string().nullable().meta({ example: 'DE' }),
        city: z.string().nullable().meta({ example: 'Berlin' }),
      })
      .meta({ description: 'Estimated from the address.' }),
    isCurrent: z.boolean(),
    createdAt: z.iso.datetime(),
    lastActiveAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
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
  data: z.object({ sessions: z.array(Session) }),
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
