import { z } from 'zod';
import { SealingConfig } from '../../../db/sealing/config';
import { REGIONS } from '../../../workflows/identity/user/user.rules';
import { ExternalConfig } from './external/config';
import { json } from './json';

const SigningJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  kid: z.string().min(1).max(100),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});

export type SigningJwk = z.output<typeof SigningJwk>;

const hasUniqueIds = (keys: readonly SigningJwk[]) =>
  new Set(keys.map(({ kid }) => kid)).size === keys.length;

/** The variables of signing in; a part of the API's configuration. */
export const AuthConfig = z.object({
  ...SealingConfig.shape,
  ...ExternalConfig.shape,
  /** The public address of the API, for links in mails and pages. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:3000'),
  /**
   * Private ES256 keys as a JSON array of JWKs, each with a `kid`. The first signs, all verify and are published: to
   * rotate, first append the new key everywhere, then move it to the front, and drop the old one 15 minutes later.
   */
  JWT_KEYS: json.pipe(z.array(SigningJwk).min(1).refine(hasUniqueIds, 'every key must have its own kid')),
  /** The `iss` claim of access tokens. */
  JWT_ISSUER: z.string().min(1).default('marketplace-platform'),
  /** The `aud` claim of access tokens. */
  JWT_AUDIENCE: z.string().min(1).default('marketplace-api'),
  ACCESS_TOKEN_SECONDS: z.coerce.number().int().min(60).max(3600).default(900),
  /** Lifetime of a session after its last refresh. */
  REFRESH_TOKEN_SECONDS: z.coerce.number().int().min(3600).default(604_800),
  /** Multiplies every rate limit. */
  RATE_LIMIT_SCALE: z.coerce.number().positive().max(1_000_000).default(1),
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  /** If required, an administrator without TOTP must set it up before anything else; no other method counts. */
  ADMIN_SECOND_FACTOR: z.enum(['required', 'optional']).optional(),
  /** The platform's name in authenticator apps. */
  TOTP_ISSUER: z.string().min(1).max(50).default('Marketplace'),
  /** Sessions a user may have at once; the oldest end. */
  SESSION_LIMIT: z.coerce.number().int().min(1).default(10),
  /** Passwords checked at once by one process; by default one core stays free. Each takes 19 MiB and a core. */
  PASSWORD_CHECKS_AT_ONCE: z.coerce.number().int().min(1).max(64).optional(),
  /** Host names of the regions as a JSON object, `{"EU":["eu.example.com"]}`. */
  REGION_HOSTS: json.pipe(z.partialRecord(z.enum(REGIONS), z.array(z.string().toLowerCase()))).prefault('{}'),
});

export type AuthConfig = z.output<typeof AuthConfig>;

/** Chosen: required in production; the demo administrators of a development have none. */
export const requiresSecondFactor = ({
  ADMIN_SECOND_FACTOR,
  NODE_ENV,
}: Pick<AuthConfig, 'ADMIN_SECOND_FACTOR' | 'NODE_ENV'>): boolean =>
  (ADMIN_SECOND_FACTOR ?? (NODE_ENV === 'production' ? 'required' : 'optional')) === 'required';
