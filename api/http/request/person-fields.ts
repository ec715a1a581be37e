import { isValidPhoneNumber } from 'libphonenumber-js/max';
import { z } from 'zod';

const NAME = /^\p{L}[\p{L}\p{M}]*(?:[ '’-][\p{L}\p{M}]+)*$/u;
const MOST_YEARS = 120;

/** The usual form of an address, with at most 64 characters before the @ (RFC 5321, 4.5.3.1.1). */
const EMAIL = new RegExp(`^(?=[^@]{1,64}@)${z.regexes.email.source.slice(1)}`);

/** An e-mail address, trimmed and in lower case, as accounts store it. */
export const email = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .max(254)
    .check(z.email({ pattern: EMAIL, error: 'must be an email address' }));

/** A first or last name: letters of any script, with single spaces, hyphens and apostrophes between them; in NFC. */
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
    .regex(NAME, 'must be letters with single spaces, hyphens or apostrophes between them')
    .meta({ example: 'Ada' });

/** A telephone number in E.164. The plus is required, because a number without it differs from country to country. */
export const phoneNumber = () =>
  z
    .string()
    .regex(/^\+[1-9]\d{1,14}$/, 'must be a phone number like +4930123456')
    .refine((number) => isValidPhoneNumber(number), 'is not a valid phone number')
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
