import { z } from 'zod';
import { sessionOfRefreshToken } from '../../db/identity/session/session.reads';
import { endAllSessions, endSession } from '../../db/identity/session/session.writes';
import { refusal } from '../../workflows/errors';
import { hashOfRefreshToken } from '../http/auth/tokens/refresh-token';
import { endpoint } from '../http/endpoint';
import { authPerMinute } from '../http/limits/limits';
import { clearSessionCookies } from '../http/auth/tokens/session-cookies';
import { presentedRefreshToken } from './sessions/session.view';

export const logout = endpoint({
  id: 'logout',
  returns: 'How many sessions have ended',
  method: 'post',
  path: '/auth/logout',
  summary: 'End the session of a refresh token, or all sessions',
  description: 'Takes the refresh token of the session. Access tokens of the session stop working at once.',
  // Chosen: a token that has just been exchanged still identifies its session, so that logging out wins a race against
  // a refresh; and the token of another device ends that device's session.
  tag: 'Authentication',
  auth: 'user',
  limit: authPerMinute(100),
  idempotent: false,

  body: z
    .object({
      refreshToken: presentedRefreshToken.describe(
        'A refresh token from signing in or from the last refresh; each works once.',
      ),
      allDevices: z
        .boolean()
        .optional()
        .describe('True ends every session of the account, false (the default) only the one of the token.'),
    })
    .meta({ id: 'LogoutRequest' }),
  example: { allDevices: false },
  success: 200,
  data: z
    .object({
      message: z.string(),
      sessionsRevoked: z.int().nonnegative().describe('How many sessions have ended by this.'),
    })
    .meta({ id: 'LogoutResult', example: { message: 'You are signed out.', sessionsRevoked: 1 } }),
  errors: { INVALID_REFRESH_TOKEN: 400 },

  async handle({ body }, { caller, db, reply }) {
    const sessionId = await sessionOfRefreshToken(db, caller.id, hashOfRefreshToken(body.refreshToken));
    if (sessionId === null) throw refusal('INVALID_REFRESH_TOKEN');
    const sessionsRevoked = body.allDevices
      ? await endAllSessions(db, caller.id)
      : await endSession(db, sessionId, 'LOGOUT');
    clearSessionCookies(reply);
    return {
      message: body.allDevices ? 'You are signed out everywhere.' : 'You are signed out.',
      sessionsRevoked,
    };
  },
});
