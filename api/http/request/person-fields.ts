import { isPossiblePhoneNumber } from 'libphonenumber-js/max';
import { domainToASCII } from 'node:url';
import { z } from 'zod';

/** Letters and marks of any script; a joiner between letters is a part of their spelling (UAX #31, 2.3). */
const LETTERS = '\\p{L}\\p{M}*(?:[\\u200C\\u200D]?\\p{L}\\p{M}*)*';
/** Apostrophes and the Hebrew geresh and gershayim, which also stand at the end of a word, as a dot does. */
const APOSTROPHES = "'\u2018\u2019\u05F3\u05F4";
const HYPHENS = '\\-\u2010\u2011\u05BE';
/** Between the parts of a foreign name in Catalan, Chinese and Japanese. */
const MIDDLE_DOTS = '\u00B7\u30FB\uFF65';
const NAME = new RegExp(
  `^${LETTERS}(?:(?:[.${APOSTROPHES}]?[ ${HYPHENS}]|[.${APOSTROPHES}${MIDDLE_DOTS}])${LETTERS})*[.${APOSTROPHES}]?$`,
  'u',
);
const MOST_YEARS = 120;

/**
 * An address as browsers take it (WHATWG HTML, 4.10.5.1.5), with a dot in its domain, whose last part is no number, and
 * with at most 64 characters before the @ (RFC 5321, 4.5.3.1.1).
 */
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const LONGEST_EMAIL = 254;
const EMAIL = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`, 'i');

/** An e-mail address, trimmed, in lower case and with the ASCII form of its domain, as accounts store it. */
export const email = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .overwrite(withAsciiDomain)
    .max(LONGEST_EMAIL)
    .check(z.email({ pattern: EMAIL, error: 'must be an email address' }));

/** An e-mail address that an account has. */
export const accountEmail = () => z.email({ pattern: EMAIL });

/** Characters that end or change a domain where it is read as a part of a URL. */
const NO_DOMAIN = /[\s/\\?#%:@[\]]/;

/**
 * The domain in the form that mail servers know (UTS #46). Unchanged if it is in ASCII, is none, or is too long to be one:
 * the conversion takes time by the square of the length.
 */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@');
  const typed = address.slice(at + 1);
  if (at < 1 || address.length > LONGEST_EMAIL || !/[\u0080-\uFFFF]/.test(typed) || NO_DOMAIN.test(typed))
    return address;
  const domain = domainToASCII(typed);
  return domain === '' ? address : `${address.slice(0, at)}@${domain}`;
}

/**
 * A first or last name: letters of any script, with single spaces, hyphens, apostrophes and middle dots between them, and
 * dots and apostrophes after them; in NFC.
 */
export const personName = () => nameOf(2);

/** A middle name, which may be an initial. */
export const middleName = () => nameOf(1);

const nameOf = (shortest: number) =>
  z
    .string()
    .trim()
    .normalize('NFC')
    .min(shortest)
    .max(100)
    .regex(NAME, 'must be letters with single spaces, hyphens, apostrophes or dots between them')
    .meta({ example: 'Ada' });

/**
 * A telephone number in E.164, with a length that its country has: whether a number is in use only a text to it tells,
 * because published plans of numbers age. The plus is required, because a number without it differs from country to
 * country.
 */
export const phoneNumber = () =>
  z
    .string()
    .regex(/^\+[1-9]\d{1,14}$/, 'must be a phone number like +4930123456')
    .refine((number) => isPossiblePhoneNumber(number), 'is not a possible phone number')
    .meta({ example: '+4930901820' });

/** A date of birth, YYYY-MM-DD. Chosen: at most 120 years ago. */
export const birthDate = () =>
  z.iso
    .date()
    .refine((date) => isWithinALife(date), `must be a date in the past ${MOST_YEARS} years`)
    .meta({ example: '1990-12-10' });

/** A BCP 47 tag in its canonical form. */
export const language = () =>
  z
    .string()
    .max(35)
    .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'must be a language tag like en or pt-BR')
    .refine((tag) => canonical(tag) !== null, 'must be a language tag like en or pt-BR')
    .transform((tag) => canonical(tag) ?? tag)
    .meta({ description: 'A BCP 47 tag.', example: 'de-DE' });

/** A name of the IANA time zone database. */
export const timezone = () =>
  z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/, 'must be a time zone like Europe/Berlin')
    .refine(isTimeZone, 'must be a time zone like Europe/Berlin')
    .meta({ description: 'An IANA time zone.', example: 'Europe/Berlin' });

function isWithinALife(date: string): boolean {
  const today = new Date();
  const earliest = new Date(Date.UTC(today.getUTCFullYear() - MOST_YEARS, 0, 1));
  const born = new Date(date);
  return born < today && born >= earliest;
}

function canonical(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
