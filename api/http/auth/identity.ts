import { AccessTokens } from './access-token';
import type { KeyRing } from '../../../db/sealing/key-ring';
import type { AuthConfig } from './config';
import { argon2id, Passwords, type Hasher } from './passwords';

/** What the endpoints of signing in work with. */
export interface Identity {
  passwords: Passwords;
  accessTokens: AccessTokens;
  /** Seals secrets at rest. */
  sealing: KeyRing;
  settings: Pick<AuthConfig, 'REFRESH_TOKEN_SECONDS' | 'SESSION_LIMIT' | 'REGION_HOSTS'>;
}

/** Throws when the configured keys are not usable. */
export function createIdentity(config: AuthConfig, hasher: Hasher = argon2id): Identity {
  return {
    passwords: new Passwords(hasher, config.PASSWORD_CHECKS_AT_ONCE),
    accessTokens: new AccessTokens(config),
    sealing: config.SEALING_KEYS,
    settings: config,
  };
}
