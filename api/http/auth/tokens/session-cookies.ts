import type { AuthConfig } from '../config';
import { ACCESS_COOKIE, REFRESH_COOKIE } from '../../request/cookies';
import type { Context } from '../../handler-context';

const ACCESS_PATH = '/';
/** Only the endpoints that use the refresh token receive it. */
const REFRESH_PATH = '/api/v1/auth';

type Reply = Context['reply'];

/** Sets a browser's token cookies, which scripts cannot read, each for the lifetime of its token. */
export function setSessionCookies(
  reply: Reply,
  tokens: { accessToken: string; expiresIn: number; refreshToken: string },
  { REFRESH_TOKEN_SECONDS }: Pick<AuthConfig, 'REFRESH_TOKEN_SECONDS'>,
): void {
  reply.setCookie(ACCESS_COOKIE, tokens.accessToken, { path: ACCESS_PATH, maxAgeSeconds: tokens.expiresIn });
  reply.setCookie(REFRESH_COOKIE, tokens.refreshToken, {
    path: REFRESH_PATH,
    maxAgeSeconds: REFRESH_TOKEN_SECONDS,
  });
}

export function clearSessionCookies(reply: Reply): void {
  reply.clearCookie(ACCESS_COOKIE, { path: ACCESS_PATH });
  reply.clearCookie(REFRESH_COOKIE, { path: REFRESH_PATH });
}
