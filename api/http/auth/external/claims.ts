import { z } from 'zod';
import { email } from '../../request/person-fields';

/** A claim that may be missing; one that is malformed counts as missing, since a person is known by issuer and subject. */
const optional = <Claim extends z.ZodType>(claim: Claim) => claim.optional().catch(undefined);

/** The claims about a person that we read, by their names in OpenID Connect. */
export const Claims = z.object({
  iss: z.string(),
  /** At most 255 characters of ASCII (OpenID Connect Core, 2). */
  sub: z.string().regex(/^[ -~]{1,255}$/),
  email: optional(email()),
  email_verified: optional(z.union([z.boolean(), z.stringbool()])), // Apple writes it as a string.
  given_name: optional(z.string()),
  family_name: optional(z.string()),
  name: optional(z.string()),
});

/** A provider's claims about a person, verified to come from it and to be meant for us and for this sign-in. */
export type ExternalClaims = z.output<typeof Claims>;
