import { z } from 'zod';
import { json } from '../json';

const Provider = z.object({
  /** Its `iss`; its endpoints are read from `<issuer>/.well-known/openid-configuration`. */
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  scope: z.string().default('openid email profile'),
});

export type ExternalProvider = z.output<typeof Provider>;

/** The variables of signing in through other providers. */
export const ExternalConfig = z.object({
  /** OpenID Connect providers by their name in our paths: `{"google":{"issuer":…,"clientId":…,"clientSecret":…}}`. */
  EXTERNAL_PROVIDERS: json
    .pipe(z.record(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/), Provider))
    .prefault('{}'),
  /** The address that browsers continue at, with their session in cookies; by default the documentation. */
  EXTERNAL_RETURN_URL: z.url({ protocol: /^https?$/ }).optional(),
});
