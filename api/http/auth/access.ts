import type { Request } from 'express';
import { refusal } from '../../../workflows/errors';
import { ACCESS_COOKIE, cookieOf } from '../answer/cookies';
import type { Auth, Caller, Endpoint } from '../endpoint';

/** A caller who is who they say they are, and where they said it. */
export interface Authenticated {
  caller: Caller;
  by: 'header' | 'cookie';
  /** An administrator who has to set up TOTP before anything else. */
  needsSecondFactor?: boolean;
}

/** Finds out who is asking: null for nobody, or for a token that is not or no longer good. */
export type Authenticate = (req: Request) => Promise<Authenticated | null>;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

const isSafe = (req: Request): boolean => SAFE_METHODS.has(req.method);

/** Whether the request brings a token, good or not. */
export const bringsToken = (req: Request): boolean =>
  req.headers.authorization !== undefined || cookieOf(req, ACCESS_COOKIE) !== undefined;

/** Whether somebody who still has to set up a second factor may use an endpoint: to do that, and to sign out. */
export const isForSetUp = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean =>
  path.startsWith('/auth/') || (method === 'get' && path === '/users/me');

/** Refuses who may not use an endpoint: 401 for nobody in particular, then 403. */
export function requireAccess(
  endpoint: Pick<Endpoint, 'auth' | 'method' | 'path'>,
  authenticated: Authenticated | null,
): void {
  const { auth } = endpoint;
  if (auth === 'public' || auth === 'optional') return;
  if (!authenticated) throw refusal('UNAUTHORIZED', 'Sign in first: a valid access token is needed.');
  if (!hasRole(auth, authenticated.caller.roles)) throw refusal('FORBIDDEN', 'You may not do this.');
  if (authenticated.needsSecondFactor && !isForSetUp(endpoint))
    throw refusal(
      'TWO_FACTOR_SETUP_REQUIRED',
      'Administrators need two-factor sign-in by an authenticator app (TOTP): turn it on at /auth/2fa/setup and /auth/2fa/verify first.',
    );
}

/**
 * Browsers send cookies along with whatever any page makes them send. So a cookie alone opens nothing that changes
 * something: the page must be one of ours, which the browser itself says in `Origin`. Public endpoints never learn
 * who the cookie belongs to, so there it opens nothing in the first place.
 */
export function requireOwnPage(
  auth: Auth,
  req: Request,
  authenticated: Authenticated | null,
  originAllowed: boolean,
): void {
  if (auth === 'public' || isSafe(req) || authenticated?.by !== 'cookie' || originAllowed) return;
  throw refusal('FORBIDDEN', 'A request that is signed in by cookie must come from an allowed origin.');
}

function hasRole(auth: 'user' | 'admin' | 'super-admin', roles: readonly string[]): boolean {
  switch (auth) {
    case 'user':
      return true;
    case 'admin':
      return roles.includes('ADMIN') || roles.includes('SUPER_ADMIN');
    case 'super-admin':
      return roles.includes('SUPER_ADMIN');
  }
}
