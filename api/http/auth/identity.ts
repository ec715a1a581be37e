import { AccessTokens } from './tokens/access-token';
import type { KeyRing } from '../../../db/sealing/key-ring';
import { requiresSecondFactor, type AuthConfig } from './config';
import { ExternalProviders } from './external/providers';
import { argon2id, createPasswords, type Hasher, type Passwords } from './passwords/passwords';
import { TotpService } from './totp';

/** The dependencies of the endpoints of signing in. */
export interface Identity {
  passwords: Passwords;
  accessTokens: AccessTokens;
  /** Other providers that may confirm an identity. */
  external: ExternalProviders;
  /** Seals secrets at rest. */
  sealing: KeyRing;
  totp: TotpService;
  /** Administrators must have a second factor, and only TOTP counts. */
  administratorsNeedTotp: boolean;
  settings: Pick<
    AuthConfig,
    'PUBLIC_URL' | 'RATE_LIMIT_SCALE' | 'REFRESH_TOKEN_SECONDS' | 'REGION_HOSTS' | 'SESSION_LIMIT'
  >;
}

/** Throws if the configured keys are not usable. */
export function createIdentity(config: AuthConfig, hasher: Hasher = argon2id): Identity {
  return {
    passwords: createPasswords(hasher, config.PASSWORD_CHECKS_AT_ONCE),
    accessTokens: new AccessTokens(config),
    sealing: config.SEALING_KEYS,
    totp: new TotpService(config.TOTP_ISSUER),
    administratorsNeedTotp: requiresSecondFactor(config),
    external: new ExternalProviders(config),
    settings: config,
  };
}
