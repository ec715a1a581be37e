import { z } from 'zod';
import { revokeSession } from '../../../db/identity/session/session.writes';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { uuid } from '../../http/request/fields';
import { authPerMinute } from '../../http/limits/limits';

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

  params: z.object({ id: uuid() }),
  success: 200,
  data: z
    .object({ message: z.string(), sessionId: z.uuid() })
    .meta({ id: 'SessionRevoked', description: 'The session has ended.' }),
  errors: { CANNOT_REVOKE_CURRENT: 400, SESSION_NOT_FOUND: 404 },

  async handle({ params: { id } }, { caller, db, recordSecurityEvent }) {
    if (id === caller.sessionId)
      throw refusal('CANNOT_REVOKE_CURRENT', 'This is your current session. Sign out instead.');
    if (!(await revokeSession(db, caller.id, id))) throw refusal('SESSION_NOT_FOUND', 'No such session.');
    recordSecurityEvent({ event: 'session-revoked', outcome: 'success', account: caller.id });
    return { message: 'The session has ended.', sessionId: id };
  },
});
