import { z } from 'zod';
import { country, text } from '../http/fields';

const line = (max: number) => text({ min: 1, max });

/** Letters of any script, parted by single spaces, hyphens or apostrophes. */
const NAME = /^[\p{L}\p{M}]+(?:[ '’-][\p{L}\p{M}]+)*$/u;
const name = (min: number) =>
  z
    .string()
    .trim()
    .min(min)
    .max(100)
    .regex(NAME, 'must be letters, with single spaces, hyphens or apostrophes between them');

const MOST_YEARS = 120;

/** Chosen: nobody is older than 120 years; how old one must be is a matter of what one wants to do. */
const dateOfBirth = z.iso
  .date()
  .refine((date) => Date.parse(date) < Date.now(), 'must be in the past')
  .refine((date) => Number(date.slice(0, 4)) >= new Date().getUTCFullYear() - MOST_YEARS, 'is too long ago')
  .meta({ example: '1985-12-10' });

const canBe = (make: () => unknown): boolean => {
  try {
    return make() !== undefined;
  } catch {
    return false;
  }
};

const language = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'must be a BCP 47 tag')
  .refine((tag) => canBe(() => Intl.getCanonicalLocales(tag)), 'must be a BCP 47 tag')
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag)
  .meta({ description: 'A BCP 47 tag.', example: 'de-DE' });

const timezone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/, 'must be an IANA time zone')
  .refine((timeZone) => canBe(() => new Intl.DateTimeFormat('en', { timeZone })), 'must be an IANA time zone')
  .meta({ description: 'An IANA time zone.', example: 'Europe/Berlin' });

const currency = z
  .enum(Intl.supportedValuesOf('currency'), 'must be an ISO 4217 code')
  .meta({ id: 'Currency', description: 'An ISO 4217 code.', example: 'EUR' });

/** What a caller may change of a profile. What is left out stays; null empties. Nothing else has any effect. */
export const ProfileChange = z
  .object({
    firstName: name(2).optional().meta({ example: 'Ada' }),
    lastName: name(2).optional().meta({ example: 'Lovelace' }),
    middleName: name(1).nullish().meta({ example: 'King' }),
    dateOfBirth: dateOfBirth.nullish(),
    avatarUrl: z
      .null()
      .optional()
      .meta({ description: 'null takes the picture away; POST /users/me/avatar sets one.' }),
    countryCode: country().nullish(),
    region: line(100).nullish().meta({ example: 'Berlin' }),
    city: line(100).nullish().meta({ example: 'Berlin' }),
    postalCode: line(20).nullish().meta({ example: '10117' }),
    addressLine1: line(200).nullish().meta({ example: 'Unter den Linden 1' }),
    language: language.nullish(),
    timezone: timezone.nullish(),
    currency: currency.nullish(),
  })
  .meta({ id: 'ProfileChange', example: { city: 'Berlin', language: 'de-DE', timezone: 'Europe/Berlin' } });

/** A profile as its owner sees it. */
export const ProfileView = z
  .object({
    firstName: z.string().meta({ example: 'Ada' }),
    lastName: z.string().meta({ example: 'Lovelace' }),
    middleName: z.string().nullable().meta({ example: 'King' }),
    dateOfBirth: z.iso.date().nullable().meta({ example: '1985-12-10' }),
    avatarUrl: z.string().nullable().meta({ example: 'https://api.example.com/media/4f2a' }),
    countryCode: z.string().nullable().meta({ example: 'DE' }),
    region: z.string().nullable().meta({ example: 'Berlin' }),
    city: z.string().nullable().meta({ example: 'Berlin' }),
    postalCode: z.string().nullable().meta({ example: '10117' }),
    addressLine1: z.string().nullable().meta({ example: 'Unter den Linden 1' }),
    language: z.string().nullable().meta({ example: 'de-DE' }),
    timezone: z.string().nullable().meta({ example: 'Europe/Berlin' }),
    currency: z.string().nullable().meta({ example: 'EUR' }),
  })
  .meta({ id: 'Profile' });
