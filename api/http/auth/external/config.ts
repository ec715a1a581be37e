import { createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { json } from '../json';

/** A private key for ES256 in PEM, as Apple's `.p8` file has it. */
const signingKey = z.string().transform((pem, ctx): KeyObject => {
  const key = privateKeyIn(pem);
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  ctx.addIssue({ code: 'custom', message: 'must be a private key of the curve P-256 in PEM' });
  return z.NEVER;
});

function privateKeyIn(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

const Provider = z
  .object({
    /** Its `iss`; its endpoints are read from `<issuer>/.well-known/openid-configuration`. */
    issuer: z.url({ protocol: /^https?$/ }),
    clientId: z.string().min(1),
    clientSecret: z.string().min(1).optional(),
    /** Instead of a secret, where the provider accepts those that are signed from a key, as Apple does. */
    clientKey: z
      .object({
        teamId: z.string().min(1),
        keyId: z.string().min(1),
        privateKey: signingKey,
        /** The `aud` of the secrets; by default the issuer. */
        audience: z.string().min(1).optional(),
      })
      .optional(),
    /** The form of its answer: in the address, or in a form that the browser posts. */
    responseMode: z.enum(['query', 'form_post']).optional(),
    scope: z.string().min(1).optional(),
  })
  .refine(
    ({ clientSecret, clientKey }) => (clientSecret === undefined) !== (clientKey === undefined),
    'must have a clientSecret or a clientKey',
  );

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
