import { isValidPhoneNumber } from 'libphonenumber-js/max';
import { z } from 'zod';
import type { Address } from '../../../db/identity/address.reads';
import { country, text } from '../../http/fields';

const line = (max: number) => text({ min: 1, max });

/** E.164. The plus comes first: without it a number means something else in every country. */
const phone = z
  .string()
  .regex(/^\+[1-9]\d{1,14}$/, 'must be in E.164 form, like +4930123456')
  .refine((number) => isValidPhoneNumber(number), 'is no telephone number')
  .meta({ example: '+4930901820' });

/** What a caller sends of an address. Empty parts may be left out or null. */
export const AddressRequest = z
  .object({
    label: line(50).nullish().meta({ example: 'Home' }),
    isDefault: z.boolean().optional(),
    recipientName: line(100).meta({ example: 'Ada Lovelace' }),
    street: line(200).meta({ example: 'Unter den Linden 1' }),
    city: line(100).meta({ example: 'Berlin' }),
    region: line(100).nullish().meta({ example: 'Berlin' }),
    country: country(),
    postalCode: line(20).meta({ example: '10117' }),
    phone: phone.nullish(),
  })
  .meta({ id: 'AddressRequest' });

/** A saved address as its owner sees it. */
export const AddressView = z
  .object({
    id: z.uuid(),
    label: z.string().nullable().meta({ example: 'Home' }),
    isDefault: z.boolean(),
    recipientName: z.string().meta({ example: 'Ada Lovelace' }),
    street: z.string().meta({ example: 'Unter den Linden 1' }),
    city: z.string().meta({ example: 'Berlin' }),
    region: z.string().nullable().meta({ example: 'Berlin' }),
    country: z.string().meta({ example: 'DE' }),
    postalCode: z.string().meta({ example: '10117' }),
    phone: z.string().nullable().meta({ example: '+4930901820' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Address' });

export const addressView = (address: Address) => ({
  ...address,
  createdAt: address.createdAt.toISOString(),
  updatedAt: address.updatedAt.toISOString(),
});
