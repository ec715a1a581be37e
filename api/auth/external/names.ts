import { z } from 'zod';
import type { ExternalClaims } from '../../http/auth/external/claims';
import { personName } from '../../http/request/person-fields';

/** The names that Apple posts with its answer. They are not signed, so nothing but names is read from there. */
const PostedUser = z.object({
  name: z.object({
    firstName: z.string().optional().catch(undefined),
    lastName: z.string().optional().catch(undefined),
  }),
});

const LONGEST_NAME = 100;
const Name = personName();

/** The words of a text, of letters with their marks only. */
const wordsIn = (text: string): string => text.replace(/^\p{M}+|[^\p{L}\p{M}]+\p{M}*/gu, ' ').trim();

/**
 * A text as a name by the rules of the platform: as it is, else its words alone, so that nothing else can stand in a mail; undefined
 * if neither is a name.
 */
function nameFrom(text = ''): string | undefined {
  const short = text.normalize('NFC').replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME);
  return Name.safeParse(short).data ?? Name.safeParse(wordsIn(short)).data;
}

/**
 * First and last name from the provider's claims, then from what it posted; missing ones come from the full name, then from
 * the address.
 */
export function externalNames(
  claims: ExternalClaims,
  email: string,
  posted?: string,
): { firstName: string; lastName: string } {
  const { firstName, lastName } = postedNames(posted);
  const [first = '', ...rest] = (claims.name ?? '').trim().split(/\s+/);
  const [local = ''] = email.split('@');
  return {
    firstName:
      nameFrom(claims.given_name) ??
      nameFrom(firstName) ??
      nameFrom(first) ??
      nameFrom(wordsIn(local)) ??
      'New',
    lastName: nameFrom(claims.family_name) ?? nameFrom(lastName) ?? nameFrom(rest.join(' ')) ?? 'Member',
  };
}

function postedNames(posted = ''): z.output<typeof PostedUser>['name'] {
  try {
    return PostedUser.parse(JSON.parse(posted)).name;
  } catch {
    return {};
  }
}
