import type { Attributes } from 'sequelize';
import type { Address } from './address.model';

/** The address of an order: a copy, so that later edits do not change the order. */
export type OrderAddress = Pick<
  Attributes<Address>,
  'recipientName' | 'street' | 'city' | 'region' | 'country' | 'postalCode' | 'phone'
>;
