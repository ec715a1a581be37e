import type { Endpoint } from '../../api/http/endpoint';
import type { Dictionaries } from './fuzz-world';
import { documentedPath } from '../../api/docs/path';

/** Parameters and fields that name something, by `location.name`, and the dictionary of what exists of it. */
const BINDINGS: Readonly<Record<string, string>> = {
  'path.code': 'coupons',
  'path.provider': 'providers',
  'query.categoryId': 'categories',
  'query.country': 'countries',
  'body.amount': 'amounts',
  'body.billingAddressId': 'addresses',
  'body.code': 'coupons',
  'body.email': 'emails',
  'body.password': 'passwords',
  'body.phone': 'phones',
  'body.productId': 'products',
  'body.shippingAddressId': 'addresses',
  'body.shippingMethodId': 'shippingMethods',
  'body.variantId': 'variants',
};

/** What `:id` names depends on what stands before it. */
const IDS: readonly [prefix: RegExp, dictionary: string][] = [
  [/\/products\/:id/, 'products'],
  [/\/cart\/items\/:id/, 'cartItems'],
  [/\/orders\/:id/, 'orders'],
];

/** Digits in the right form are not yet a telephone number, so well-formed ones must be real. */
const ALWAYS = new Set(['phones']);

/** The dictionary for one parameter or field of an endpoint, if there is one. */
export const dictionaryOf = (
  { path }: Pick<Endpoint, 'path'>,
  location: 'path' | 'query' | 'body',
  name: string,
): string | undefined =>
  location === 'path' && name === 'id'
    ? IDS.find(([prefix]) => prefix.test(path))?.[1]
    : BINDINGS[`${location}.${name}`];

/** The same for Schemathesis, as TOML: mostly something that exists, else what it thinks of. */
export function bindingsAsToml(endpoints: readonly Endpoint[], dictionaries: Dictionaries): string[] {
  const known = Object.entries(BINDINGS).filter(([, dictionary]) => dictionary in dictionaries);
  const all = known.map(([name, dictionary]) => `"${name}" = ${bound(dictionary)}`);
  const paths = new Map(endpoints.map((endpoint) => [documentedPath(endpoint), endpoint]));
  const ofPaths = [...paths].flatMap(([path, endpoint]) => {
    const dictionary = dictionaryOf(endpoint, 'path', 'id');
    const isKnown = dictionary !== undefined && dictionary in dictionaries;
    const parameters = isKnown && `parameters = { "path.id" = ${bound(dictionary)} }`;
    return parameters && path.includes('{id}')
      ? [`[[operations]]\ninclude-path = "${path}"\n${parameters}\n`]
      : [];
  });
  return [`[parameters]\n${all.join('\n')}\n`, ...ofPaths];
}

const bound = (dictionary: string): string =>
  `{ dictionary = "${dictionary}", probability = ${ALWAYS.has(dictionary) ? '1.0' : '0.6'} }`;
