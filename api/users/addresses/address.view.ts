import { z } from 'zod';
import type { SavedAddress } from '../../../db/identity/address/address.reads';
import { country, text } from '../../http/request/fields';
import { postalCode, withItsPostalCode } from '../../http/request/postal-code';
import { phoneNumber } from '../../http/request/person-fields';

const line = (max: number) => text({ min: 1, max });

/** An address as callers send it. Optional fields may be left out or null. */
export const AddressRequest = z
  .object({
    label: line(50)
      .nullish()
      .meta({ description: 'What its owner calls the address, such as Home.', example: 'Home' }),
    isDefault: z
      .boolean()
      .optional()
      .describe('True for the address that is offered first; there is at most one.'),
    recipientName: line(100).meta({
      description: 'The person or company that takes the parcel.',
      example: 'Ada Lovelace',
    }),
    street: line(200).meta({ description: 'Street and house number.', example: 'Unter den Linden 1' }),
    city: line(100).meta({ example: 'Berlin' }),
    region: line(100).nullish().meta({ description: 'State, province or the like.', example: 'Berlin' }),
    country: country(),
    postalCode: postalCode().meta({ example: '10117' }),
    phone: phoneNumber().nullish(),
  })
  .refine(...withItsPostalCode)
  .meta({ id: 'AddressRequest' });

/** Changes of an address: what is left out stays, null clears an optional field. */
export const AddressChange = z
  .object(AddressRequest.shape)
  .partial()
  .meta({ id: 'AddressChange', example: { city: 'Potsdam', postalCode: '14467' } });

/** A saved address as its owner sees it. */
export const AddressView = z
  .object({
    id: z.uuid(),
    label: z
      .string()
      .nullable()
      .meta({ description: 'What its owner calls the address, such as Home.', example: 'Home' }),
    isDefault: z.boolean().describe('True for the address that is offered first; there is at most one.'),
    recipientName: z
      .string()
      .meta({ description: 'The person or company that takes the parcel.', example: 'Ada Lovelace' }),
    street: z.string().meta({ description: 'Street and house number.', example: 'Unter den Linden 1' }),
    city: z.string().meta({ example: 'Berlin' }),
    region: z.string().nullable().meta({ description: 'State, province or the like.', example: 'Berlin' }),
    country: z.string().meta({ example: 'DE' }),
    postalCode: z.string().meta({ example: '10117' }),
    phone: z.string().nullable().meta({ example: '+4930901820' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Address' });

export const addressView = (address: SavedAddress) => ({
  ...address,
  createdAt: address.createdAt.toISOString(),
  updatedAt: address.updatedAt.toISOString(),
});
