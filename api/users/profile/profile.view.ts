import { z } from 'zod';
import { country, text } from '../../http/request/fields';
import { birthDate, language, middleName, personName, timezone } from '../../http/request/person-fields';

const line = (max: number) => text({ min: 1, max });

const currency = z
  .enum(Intl.supportedValuesOf('currency'), 'must be a currency code like EUR')
  .meta({ id: 'Currency', description: 'An ISO 4217 code.', example: 'EUR' });

/** Changes of a profile. What is left out stays; null clears the field. */
export const ProfileChange = z
  .object({
    firstName: personName().optional(),
    lastName: personName().optional().meta({ example: 'Lovelace' }),
    middleName: middleName().nullish().meta({ example: 'King' }),
    dateOfBirth: birthDate().nullish(),
    avatarUrl: z.string().max(2_000).nullish().meta({
      description: 'null removes the avatar; else the present one. POST /users/me/avatar sets another.',
      example: null,
    }),
    countryCode: country().nullish().describe('An ISO 3166-1 alpha-2 code in capitals, such as DE.'),
    region: line(100).nullish().meta({ description: 'State, province or the like.', example: 'Berlin' }),
    city: line(100).nullish().meta({ example: 'Berlin' }),
    postalCode: line(20).nullish().meta({ example: '10117' }),
    addressLine1: line(200)
      .nullish()
      .meta({ description: 'Street and house number.', example: 'Unter den Linden 1' }),
    language: language().nullish().describe('A BCP 47 tag, such as de-DE.'),
    timezone: timezone().nullish().describe('A name of the IANA time zone database, such as Europe/Berlin.'),
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
    avatarUrl: z.string().nullable().meta({
      description: 'The URL of the avatar; null without one.',
      example: 'https://api.example.com/media/4f2a',
    }),
    countryCode: z
      .string()
      .nullable()
      .meta({ description: 'An ISO 3166-1 alpha-2 code in capitals, such as DE.', example: 'DE' }),
    region: z.string().nullable().meta({ description: 'State, province or the like.', example: 'Berlin' }),
    city: z.string().nullable().meta({ example: 'Berlin' }),
    postalCode: z.string().nullable().meta({ example: '10117' }),
    addressLine1: z
      .string()
      .nullable()
      .meta({ description: 'Street and house number.', example: 'Unter den Linden 1' }),
    language: z.string().nullable().meta({ description: 'A BCP 47 tag, such as de-DE.', example: 'de-DE' }),
    timezone: z.string().nullable().meta({
      description: 'A name of the IANA time zone database, such as Europe/Berlin.',
      example: 'Europe/Berlin',
    }),
    currency: z.string().nullable().meta({ example: 'EUR' }),
  })
  .meta({ id: 'Profile' });
