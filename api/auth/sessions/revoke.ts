import { z } from 'zod';
import { revokeSession } from '../../../db/identity/session/session.writes';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits/limits';
import { idOf } from '../../http/request/ids/id-of';

export const revokeMySession = endpoint({
  id: 'revokeSession',
  returns: 'The session that has ended',
  method: 'delete',
  path: '/auth/sessions/:id',
  summary: 'End another session of yours',
  description: 'Its access tokens stop at once. The session of the request is ended by signing out.',
  tag: 'Authentication',
  auth: 'user',
  limit: authPerMinute(100),

  params: z.object({ id: idOf('session').describe('A session: `id` in the list of sessions.') }),
  success: 200,
  data: z
    .object({ message: z.string(), sessionId: z.uuid().describe('The session that has ended.') })
    .meta({ id: 'SessionRevoked', description: 'The session has ended.' }),
  errors: { CANNOT_REVOKE_CURRENT: 400, SESSION_NOT_FOUND: 404 },

  async handle({ params: { id } }, { caller, db, recordSecurityEvent }) {
    if (id === caller.sessionId) throw refusal('CANNOT_REVOKE_CURRENT');
    if (!(await revokeSession(db, caller.id, id))) throw refusal('SESSION_NOT_FOUND');
    recordSecurityEvent({ event: 'session-revoked', outcome: 'success', account: caller.id });
    return { message: 'The session has ended.', sessionId: id };
  },
});
