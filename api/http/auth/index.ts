import type { Db } from '../../../db/sql/query';
import type { Authenticate } from './access';
import { authenticateWith } from './authenticate';
import type { AuthConfig } from './config';
import { createIdentity, type Identity } from './identity';
import type { Hasher } from './passwords/passwords';

/** The server's function that authenticates requests, and the dependencies of the endpoints of signing in. */
export interface Authentication {
  authenticate: Authenticate;
  identity: Identity;
}

/** Throws if the configured keys are not usable. */
export function createAuthentication(parts: { db: Db; config: AuthConfig; hasher?: Hasher }): Authentication {
  const identity = createIdentity(parts.config, parts.hasher);
  const authenticate = authenticateWith(parts.db, identity.accessTokens, identity.administratorsNeedTotp);
  return { identity, authenticate };
}
