import { z } from 'zod';
import { refusal } from '../../workflows/errors';
import { hashOfRefreshToken, newRefreshToken } from '../http/auth/tokens/refresh-token';
import { REFRESH_COOKIE } from '../http/request/cookies';
import { endpoint } from '../http/endpoint';
import type { Context } from '../http/handler-context';
import { authPerMinute } from '../http/limits/limits';
import { refreshSession } from './refresh.command';
import { setSessionCookies } from '../http/auth/tokens/session-cookies';
import { presentedRefreshToken, tokenFields } from './sessions/session.view';
import { invalid } from '../http/validation/validation';

const RefreshResponse = z
  .object(tokenFields)
  .meta({ id: 'RefreshResult', description: 'New tokens; the refresh token sent is used up.' });

export const refresh = endpoint({
  id: 'refreshTokens',
  returns: 'New tokens; the refresh token that was sent is spent',
  method: 'post',
  path: '/auth/refresh',
  summary: 'Exchange a refresh token for new tokens',
  description:
    'Takes the token from the body, else from the cookie `svc_refresh_token`. A token that is used again long after it was exchanged has been stolen, so it ends its session.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerMinute(100),
  idempotent: false,

  body: z
    .object({
      refreshToken: presentedRefreshToken
        .optional()
        .describe('A refresh token from signing in or from the last refresh; each works once.'),
    })
    .meta({ id: 'RefreshRequest' }),
  success: 200,
  data: RefreshResponse,
  errors: { INVALID_REFRESH_TOKEN: 401, REFRESH_TOKEN_EXPIRED: 401, SESSION_REVOKED: 401, FORBIDDEN: 403 },

  async handle({ body }, context) {
    const { identity, reply } = context;
    const presented = body.refreshToken ?? refreshCookie(context);
    const next = newRefreshToken();
    const { userId, sessionId } = await refreshSession(context, hashOfRefreshToken(presented), {
      hash: next.hash,
      lifetimeSeconds: identity.settings.REFRESH_TOKEN_SECONDS,
    });
    const tokens = {
      accessToken: await identity.accessTokens.issue(userId, sessionId),
      refreshToken: next.token,
      expiresIn: identity.accessTokens.lifetimeSeconds,
      tokenType: 'Bearer' as const,
    };
    setSessionCookies(reply, tokens, identity.settings);
    return tokens;
  },
});

/** The refresh token of a browser's cookie. Browsers send it from any page, so the page must be one of ours. */
function refreshCookie({ request }: Context): string {
  const token = request.cookie(REFRESH_COOKIE);
  if (token === undefined || token === '') throw invalid({ refreshToken: ['is required'] });
  if (!request.originAllowed)
    throw refusal('FORBIDDEN', 'A request that is signed in by cookie must come from an allowed origin.');
  return token;
}
