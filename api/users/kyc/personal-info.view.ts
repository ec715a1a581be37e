import { z } from 'zod';
import { IDENTITY_DOCUMENTS, type PersonalInfo } from '../../../workflows/kyc/kyc.rules';
import { completeYears } from '../../../workflows/kyc/submission.rules';
import { country, text } from '../../http/request/fields';
import { postalCode, withItsPostalCode } from '../../http/request/postal-code';
import { middleName, personName } from '../../http/request/person-fields';
import { invalid } from '../../http/validation/validation';

const IdentityDocumentField = z
  .enum(IDENTITY_DOCUMENTS)
  .meta({ id: 'IdentityDocument', description: 'A document by which a person proves who they are.' });

/** Chosen: older than anybody has become. */
const OLDEST_YEARS = 130;

/** As travel documents have them (ICAO 9303): letters of other scripts look the same and would be another number. */
const NUMBER = /^[A-Za-z0-9]+(?:[ /-][A-Za-z0-9]+)*$/;

const line = (max: number) => text({ min: 1, max });

const today = (): string => new Date().toISOString().slice(0, 10);

const pastDate = () =>
  z.iso
    .date()
    .refine((date) => date <= today(), 'must be in the past')
    .refine(
      (date) => completeYears(date, today()) <= OLDEST_YEARS,
      `must be in the past ${OLDEST_YEARS} years`,
    );

const Address = z
  .object({
    country: country(),
    region: line(100).meta({ description: 'State, province or the like.', example: 'Berlin' }),
    city: line(100).meta({ example: 'Berlin' }),
    street: line(200).meta({ description: 'Street and house number.', example: 'Unter den Linden' }),
    building: line(20).meta({ description: 'The number of the house.', example: '1' }),
    apartment: line(20)
      .nullish()
      .meta({ description: 'The number of the flat; null without one.', example: '3 B' }),
    postalCode: postalCode().meta({ example: '10117' }),
  })
  .refine(...withItsPostalCode);

/** Personal data as a user states it. Optional fields may be left out or null. */
export const PersonalInfoRequest = z
  .object({
    firstName: personName(),
    lastName: personName().meta({ example: 'Lovelace' }),
    middleName: middleName().nullish().meta({ example: 'King' }),
    dateOfBirth: pastDate().meta({ example: '1985-12-10' }),
    nationality: country().describe('An ISO 3166-1 alpha-2 code in capitals, such as DE.'),
    documentNumber: z
      .string()
      .trim()
      .min(3)
      .max(40)
      .regex(
        NUMBER,
        'must be Latin letters (A to Z) and digits 0 to 9, with single spaces, hyphens or slashes between them',
      )
      .meta({ description: 'The number of the identity document, as printed on it.', example: 'C01X00T47' }),
    documentType: IdentityDocumentField.describe('The identity document that was uploaded.'),
    documentIssueDate: pastDate().nullish().meta({
      description: 'A date like 2020-01-31; null if the document does not say.',
      example: '2022-03-01',
    }),
    documentExpiryDate: z.iso
      .date()
      .refine((date) => date >= today(), 'must not be in the past')
      .meta({ description: 'The last day on which it is valid, like 2030-01-31.', example: '2032-02-29' }),
    address: Address.describe('Where the person lives.'),
  })
  .meta({ id: 'StatedPersonalInfo' });

/** Personal data as reviewers see it. */
export const PersonalInfoView = z
  .object({
    firstName: z.string().meta({ example: 'Ada' }),
    lastName: z.string().meta({ example: 'Lovelace' }),
    middleName: z.string().nullable().meta({ example: 'King' }),
    dateOfBirth: z.iso.date().meta({ example: '1985-12-10' }),
    nationality: z
      .string()
      .meta({ description: 'An ISO 3166-1 alpha-2 code in capitals, such as DE.', example: 'DE' }),
    documentNumber: z
      .string()
      .meta({ description: 'The number of the identity document, as printed on it.', example: 'C01X00T47' }),
    documentType: IdentityDocumentField.describe('The identity document that was uploaded.'),
    documentIssueDate: z.iso.date().nullable().meta({
      description: 'A date like 2020-01-31; null if the document does not say.',
      example: '2022-03-01',
    }),
    documentExpiryDate: z.iso.date().meta({ description: 'A date like 2030-01-31.', example: '2032-02-29' }),
    address: z
      .object({
        country: z.string().meta({ example: 'DE' }),
        region: z.string().meta({ description: 'State, province or the like.', example: 'Berlin' }),
        city: z.string().meta({ example: 'Berlin' }),
        street: z.string().meta({ description: 'Street and house number.', example: 'Unter den Linden' }),
        building: z.string().meta({ description: 'The number of the house.', example: '1' }),
        apartment: z
          .string()
          .nullable()
          .meta({ description: 'The number of the flat; null without one.', example: '3 B' }),
        postalCode: z.string().meta({ example: '10117' }),
      })
      .describe('Where the person lives.'),
  })
  .meta({ id: 'PersonalInfo' });

/** The data that was stated, complete. Refuses with VALIDATION_ERROR a person who is younger than `minimumAge`. */
export function statedInfo(sent: z.output<typeof PersonalInfoRequest>, minimumAge: number): PersonalInfo {
  if (completeYears(sent.dateOfBirth, today()) < minimumAge)
    throw invalid({ 'personalInfo.dateOfBirth': [`must be at least ${minimumAge} years ago`] });
  const { middleName: middle = null, documentIssueDate = null, address } = sent;
  const { apartment = null } = address;
  return {
    ...sent,
    middleName: middle,
    documentIssueDate,
    address: { ...address, apartment },
  };
}
