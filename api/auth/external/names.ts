import type { ExternalClaims } from '../../http/auth/external/providers';

const MOST = 100;
/** What no name has, and what could end a line in a mail. */
const NO_NAME = /[^\p{L}\p{M}' -]+/gu;

const clean = (given: string | undefined): string =>
  (given ?? '').replace(NO_NAME, ' ').replace(/\s+/g, ' ').trim().slice(0, MOST).trim();

/** First and last name as the provider has them; what it lacks is taken from the whole name, then from the address. */
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
