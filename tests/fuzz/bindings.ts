import type { Endpoint } from '../../api/http/endpoint';
import type { Dictionaries } from './fuzz-world';
import { documentedPath } from '../../api/docs/path';

/** Parameters and fields that name something, by `location.name`, and the dictionary of its existing values. */
const BINDINGS: Readonly<Record<string, string>> = {
  'path.code': 'coupons',
  'path.country': 'countries',
  'path.imageId': 'spareImages',
  'path.provider': 'providers',
  'path.reviewId': 'reviews',
  'path.variantId': 'spareVariants',
  'query.categoryId': 'categories',
  'query.country': 'countries',
  'query.productId': 'products',
  'body.amount': 'amounts',
  'body.billingAddressId': 'addresses',
  'body.categoryId': 'categories',
  'body.email': 'emails',
  'body.parentId': 'categories',
  'body.password': 'passwords',
  'body.phone': 'phones',
  'body.productId': 'products',
  'body.shippingAddressId': 'addresses',
  'body.shippingMethodId': 'shippingMethods',
  'body.variantId': 'variants',
};

/** The dictionaries of `:id` and of a `code` in the body depend on the path. */
const BY_PATH: Readonly<Record<string, readonly [path: RegExp, dictionary: string][]>> = {
  'path.id': [
    [/\/admin\/products\/:id/, 'spareProducts'],
    [/\/products\/:id/, 'products'],
    [/^\/categories\/:id/, 'categories'],
    [/\/admin\/categories\/:id/, 'spareCategories'],
    [/\/cart\/items\/:id/, 'cartItems'],
    [/\/admin\/orders\/:id(\/tracking-events)?$|\/tracking$/, 'shippedOrders'],
    [/\/orders\/:id/, 'orders'],
    [/\/users\/me\/addresses\/:id/, 'spareAddresses'],
    [/\/auth\/sessions\/:id/, 'spareSessions'],
    [/\/admin\/users\/:id/, 'people'],
    [/\/admin\/coupons\/:id/, 'spareCoupons'],
    [/\/admin\/shipping-methods\/:id/, 'spareShippingMethods'],
    [/\/admin\/reviews\/:id/, 'reviews'],
    [/\/admin\/payment-refunds\/:id/, 'paymentRefunds'],
    [/\/admin\/refunds\/:id/, 'refunds'],
  ],
  'body.amount': [[/\/admin\/payment-refunds\/:id/, 'returnedAmounts']],
  'body.code': [
    [/^\/cart\/coupons$/, 'coupons'],
    [/\/2fa\/|\/phone\//, 'sentCodes'],
  ],
};

/** A telephone number must exist in its country's plan, so well-formed ones are taken from the dictionary. */
const ALWAYS = new Set(['phones']);

/** The dictionary for one parameter or field of an endpoint, if there is one. */
export const dictionaryOf = (
  { path }: Pick<Endpoint, 'path'>,
  location: 'path' | 'query' | 'body',
  name: string,
): string | undefined =>
  BY_PATH[`${location}.${name}`]?.find(([of]) => of.test(path))?.[1] ?? BINDINGS[`${location}.${name}`];

/** The same for Schemathesis, as TOML: mostly existing values, else generated ones. */
export function bindingsAsToml(endpoints: readonly Endpoint[], dictionaries: Dictionaries): string[] {
  const known = Object.entries(BINDINGS).filter(([, dictionary]) => dictionary in dictionaries);
  const all = known.map(([name, dictionary]) => `"${name}" = ${bound(dictionary)}`);
  const paths = new Map(endpoints.map((endpoint) => [documentedPath(endpoint), endpoint]));
  const ofPaths = [...paths].flatMap(([path, endpoint]) => {
    const parameters = Object.entries(BY_PATH).flatMap(([name, rules]) => {
      const dictionary = rules.find(([of]) => of.test(endpoint.path))?.[1];
      const isUsed = name !== 'path.id' || path.includes('{id}');
      return dictionary !== undefined && isUsed && dictionary in dictionaries
        ? [`"${name}" = ${bound(dictionary)}`]
        : [];
    });
    return parameters.length > 0
      ? [`[[operations]]\ninclude-path = "${path}"\nparameters = { ${parameters.join(', ')} }\n`]
      : [];
  });
  return [`[parameters]\n${all.join('\n')}\n`, ...ofPaths];
}

const bound = (dictionary: string): string =>
  `{ dictionary = "${dictionary}", probability = ${ALWAYS.has(dictionary) ? '1.0' : '0.6'} }`;
