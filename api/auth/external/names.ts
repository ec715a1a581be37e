import type { ExternalClaims } from '../../http/auth/external/providers';

const LONGEST_NAME = 100;
/** Characters that no name has, including those that could end a line in a mail. */
const NO_NAME = /[^\p{L}\p{M}' -]+/gu;

const clean = (name: string | undefined): string =>
  (name ?? '').replace(NO_NAME, ' ').replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME).trim();

/** First and last name from the provider's claims; missing ones come from the full name, then from the address. */
export function externalNames(
  claims: ExternalClaims,
  email: string,
): { firstName: string; lastName: string } {
  const [first = '', ...rest] = clean(claims.name).split(' ');
  return {
    firstName: clean(claims.given_name) || first || clean(email.split('@')[0]) || 'New',
    lastName: clean(claims.family_name) || rest.join(' ') || 'Member',
  };
}
