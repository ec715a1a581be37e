import type { Request } from 'express';
import { refusal } from '../../../workflows/errors';
import { ACCESS_COOKIE, cookieOf } from '../request/cookies';
import type { Endpoint } from '../endpoint';
import type { Auth, Caller } from '../handler-context';
import { isAdministrator } from '../../../workflows/identity/user/user.rules';

/** An authenticated caller, and the source of the token. */
export interface Authenticated {
  caller: Caller;
  by: 'header' | 'cookie';
  /** An administrator who has to set up TOTP before anything else. */
  needsSecondFactor?: boolean;
}

/** Authenticates the caller of a request; null without a token, or with one that is not valid (any longer). */
export type Authenticate = (req: Request) => Promise<Authenticated | null>;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

const isSafe = (req: Request): boolean => SAFE_METHODS.has(req.method);

/** True if the request carries a token, valid or not. */
export const bringsToken = (req: Request): boolean =>
  req.headers.authorization !== undefined || cookieOf(req, ACCESS_COOKIE) !== undefined;

/** True for endpoints that are open before a required second factor is set up: those for doing that, and signing out. */
export const isForSetUp = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean =>
  path.startsWith('/auth/') || (method === 'get' && path === '/users/me');

/** Refuses callers who may not use an endpoint: 401 if unauthenticated, else 403. */
export function requireAccess(
  endpoint: Pick<Endpoint, 'auth' | 'method' | 'path'>,
  authenticated: Authenticated | null,
): void {
  const { auth } = endpoint;
  if (auth === 'public' || auth === 'optional') return;
  if (!authenticated) throw refusal('UNAUTHORIZED');
  if (!hasRole(auth, authenticated.caller.roles))
    throw refusal('FORBIDDEN', `This requires the ${auth === 'admin' ? 'ADMIN' : 'SUPER_ADMIN'} role.`);
  if (authenticated.needsSecondFactor && !isForSetUp(endpoint)) throw refusal('TWO_FACTOR_SETUP_REQUIRED');
}

/**
 * Refuses changes by cookie from foreign pages (CSRF): browsers send cookies with any page's requests, so the page must
 * be one of ours by the browser's `Origin` header. Public endpoints ignore the cookie's owner, so they need no check.
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
      return isAdministrator(roles);
    case 'super-admin':
      return roles.includes('SUPER_ADMIN');
  }
}
