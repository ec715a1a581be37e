import type { Endpoint } from '../../api/http/endpoint';
import type { Dictionaries } from './world/fuzz-world';
import { documentedPath } from '../../api/docs/path';

/** Parameters and fields that name something, by `location.name`, and the dictionary of its existing values. */
const BINDINGS: Readonly<Record<string, string>> = {
  'path.code': 'coupons',
  'path.country': 'countries',
  'path.documentId': 'documents',
  'path.imageId': 'spareImages',
  'path.period': 'periods',
  'path.provider': 'providers',
  'path.providerCode': 'investmentProviders',
  'path.reviewId': 'reviews',
  'path.variantId': 'spareVariants',
  'path.workflowId': 'operations',
  'query.categoryId': 'categories',
  'query.country': 'countries',
  'query.partnerId': 'partners',
  'query.productId': 'products',
  'body.amount': 'amounts',
  'body.billingAddressId': 'addresses',
  'body.categoryId': 'categories',
  'body.email': 'emails',
  'body.parentId': 'categories',
  'body.password': 'passwords',
  'body.phone': 'phones',
  'body.productId': 'products',
  'body.purpose': 'purposes',
  'body.shippingAddressId': 'addresses',
  'body.shippingMethodId': 'shippingMethods',
  'body.strategyId': 'strategies',
  'body.variantId': 'variants',
};

/** The dictionaries of `:id` and of a `code` in the body depend on the path. */
const BY_PATH: Readonly<Record<string, readonly [path: RegExp, dictionary: string][]>> = {
  'path.id': [
    [/\/admin\/products\/:id/, 'spareProducts'],
    [/\/products\/:id/, 'products'],
    [/^\/categories\/:id/, 'categories'],
    [/\/admin\/categories\/:id/, 'spareCategories'],
    [/\/admin\/investment\/categories\/:id/, 'strategyCategories'],
    [/\/cart\/items\/:id/, 'cartItems'],
    [/\/admin\/orders\/:id(\/tracking-events)?$|\/tracking$/, 'shippedOrders'],
    [/\/orders\/:id/, 'orders'],
    [/\/participations\/:id\/withdraw/, 'runningParticipations'],
    [/\/(admin|investment)\/participations\/:id/, 'participations'],
    [/\/admin\/partner-entrances\/:id/, 'entrances'],
    [/\/admin\/top-ups\/:id/, 'topUps'],
    [/\/users\/me\/balance\/top-ups\/:id/, 'ownTopUps'],
    [/\/admin\/partners\/:id\/(suspend|activate|terminate)/, 'sparePartners'],
    [/\/admin\/webhook-events\/:id/, 'webhookEvents'],
    [/\/admin\/investment\/differences\/:id/, 'differences'],
    [/\/admin\/reconciliation\/differences\/:id/, 'reconciliationDifferences'],
    [/\/admin\/partners\/:id/, 'partners'],
    [/\/mlm\/referrals\/links\/:id/, 'referralLinks'],
    [/\/users\/me\/addresses\/:id/, 'spareAddresses'],
    [/\/users\/kyc\/documents\/:id/, 'kycDocuments'],
    [/\/auth\/sessions\/:id/, 'spareSessions'],
    [/\/mlm\/commissions\/:id/, 'ownCommissions'],
    [/\/admin\/commissions\/:id/, 'commissions'],
    [/\/admin\/messages\/:id/, 'deadMessages'],
    [/\/admin\/users\/:id/, 'people'],
    [/\/admin\/coupons\/:id/, 'spareCoupons'],
    [/\/admin\/shipping-methods\/:id/, 'spareShippingMethods'],
    [/\/admin\/reviews\/:id/, 'reviews'],
    [/\/admin\/payment-refunds\/:id/, 'paymentRefunds'],
    [/\/admin\/withdrawals\/:id/, 'withdrawals'],
    [/\/admin\/payouts\/:id/, 'payouts'],
    [/\/admin\/wallet-withdrawals\/:id/, 'walletWithdrawals'],
    [/\/admin\/bank-files\/:id/, 'bankFiles'],
    [/\/admin\/bank-files\/collected\/:id/, 'collectedTransfers'],
    [/\/admin\/pools\/:id/, 'pools'],
    [/\/admin\/refunds\/:id/, 'refunds'],
    [/\/admin\/kyc\/:id/, 'verifications'],
    [/\/admin\/strategies\/:id/, 'spareStrategies'],
    [/\/investment\/strategies\/:id/, 'strategies'],
  ],
  'path.documentId': [[/\/strategies\/:id\/documents\//, 'spareStrategyDocuments']],
  'query.strategyId': [[/\/participations$/, 'strategies']],
  'query.userId': [[/\/participations$/, 'people']],
  'query.categoryId': [[/\/strategies$/, 'strategyCategories']],
  'body.categoryId': [[/\/admin\/strategies/, 'strategyCategories']],
  'path.code': [[/\/admin\/providers\//, 'investmentProviders']],
  'body.providerCode': [[/\/admin\/strategies/, 'investmentProviders']],
  'body.amount': [[/\/admin\/payment-refunds\/:id/, 'returnedAmounts']],
  'query.provider': [[/\/admin\/reconciliation\//, 'reconciledProviders']],
  'body.provider': [[/\/admin\/reconciliation\//, 'reconciledProviders']],
  'body.day': [[/\/admin\/reconciliation\//, 'utcDays']],
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
