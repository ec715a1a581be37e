import type { Identified, Resource } from '../../../api/http/request/ids/identified';
import { goods } from './goods';
import type { Ground } from './ground';
import { investments } from './investments';
import type { Made, Makes, Place } from './make';
import { money } from './money';
import { operations } from './operations';
import { orders } from './orders';
import { partners } from './partners';
import { people } from './people';

/** Makes one of each resource, for a person and in a state. */
export const resources: Readonly<Record<Resource, Makes>> = {
  ...goods,
  ...investments,
  ...money,
  ...operations,
  ...orders,
  ...partners,
  ...people,
};

/** Resources that are nobody's, and why. All others are of one person, or for administrators only. */
export const OPEN_TO_ALL: Readonly<Partial<Record<Resource, string>>> = {
  category: 'the catalogue is for everyone',
  'coupon code': 'a code is the same for everyone; the cart is the caller’s own',
  'investment provider': 'a company that sends signed reports',
  product: 'the catalogue is for everyone; a review of it is the caller’s own',
  review: 'a published one is for everyone; a vote for it is the caller’s own',
  strategy: 'strategies are for everyone; the token for the provider is the caller’s own',
};

/** Makes one in the first of the states in which the request succeeds. */
export async function made(
  ground: Ground,
  { resource, states: [state = 'any'] }: Identified,
  place: Place,
): Promise<Made> {
  const make = resources[resource][state];
  if (!make) throw new Error(`tests/support/resources makes no ${resource} that is ${state}.`);
  const one = await make(ground, place);
  return typeof one === 'string' ? { id: one, fields: {} } : one;
}
