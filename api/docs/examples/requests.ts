import type { Endpoint } from '../../http/endpoint';
import { demo, UNKNOWN_ID } from './demo';

/** Rules for the parameters of paths; the first that matches applies. */
const PARAMETERS: readonly (readonly [parameter: string, endpoint: RegExp, value: string])[] = [
  ['id', /DELETE \/admin\/products\/:id$/, demo.removable.product],
  ['id', / \/admin\/products\//, demo.editable.product],
  ['imageId', /./, demo.editable.image],
  ['variantId', /./, demo.editable.variant],
  ['id', / \/products\//, demo.product],
  // A category that holds products is not deleted, and all do.
  ['id', /DELETE \/admin\/categories/, UNKNOWN_ID],
  ['id', / \/(admin\/)?categories\//, demo.category],
  ['id', / \/users\/me\/addresses\//, demo.address],
  ['id', / \/admin\/users\//, demo.member],
  ['id', / \/admin\/coupons\//, demo.coupon],
  ['id', / \/admin\/shipping-methods\//, demo.removable.shippingMethod],
  ['id', / \/investment\/strategies\//, demo.strategy],
  ['id', / \/admin\/investment-categories\//, demo.strategyCategory],
  ['id', / \/admin\/strategies\//, demo.editableStrategy],
  ['code', / \/admin\/providers\//, 'alpha'],
  ['code', / \/cart\/coupons\//, demo.couponCode],
  ['country', /./, demo.country],
  ['month', / \/(mlm|admin\/partners\/:id)\/statements\//, '2026-10'],
  ['provider', / \/auth\/external\//, 'google'],
  ['provider', /./, 'sandbox'],
  ['providerCode', /./, 'alpha'],
  ['workflowId', /./, `payment-refund:${UNKNOWN_ID}`],
];

/** The example of a parameter of the endpoint's path. */
export const pathExample = (endpoint: Pick<Endpoint, 'method' | 'path'>, name: string): string =>
  PARAMETERS.find(([parameter, of]) => parameter === name && of.test(nameOf(endpoint)))?.[2] ?? UNKNOWN_ID;

/** The name of an endpoint among the examples: `GET /orders/:id`. */
export const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  `${method.toUpperCase()} ${path}`;

/** The demo buyer's and the administrator's next password. */
const NEW_PASSWORD = 'Umbrella-7-tango';

/** Fields of bodies whose example is not the one of their schema; undefined leaves a field out. */
const BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /auth/register': { email: 'ada@example.com', referralCode: undefined, acceptMarketing: false },
  'POST /auth/reset-password': { password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD },
  'POST /auth/logout': { allDevices: false },
  'POST /users/me/password': {
    currentPassword: 'Buyer-demo-1!',
    password: NEW_PASSWORD,
    confirmPassword: NEW_PASSWORD,
  },
  'POST /payments/webhooks/:provider': {
    type: 'payment.captured',
    timestamp: '2026-01-31T12:00:00.000Z',
    data: { key: UNKNOWN_ID },
  },
  'POST /investment/webhooks/:providerCode': {
    type: 'profit.distributed',
    timestamp: '2026-01-31T12:00:00.000Z',
    data: { externalId: 'P-2026-0117', investmentExternalId: 'A-1187', amount: 12.5 },
  },
  'POST /investment/participations/:id/withdraw': {
    withdrawalMethod: 'BALANCE',
    useSavedDetails: undefined,
    details: undefined,
  },
  'POST /admin/bank-transfers': {
    purpose: 'INV-2026-00000012',
    amount: 1_000,
    transactionId: 'BANK-2026-1191',
  },
  'POST /admin/commissions/:id/adjust': { action: 'HOLD', newAmount: undefined },
  'POST /admin/strategies': { categoryId: demo.strategyCategory },
  'PATCH /admin/strategies/:id': {
    name: 'City Homes',
    shortDescription: 'Rent of four hundred flats in six cities.',
    description: undefined,
    categoryId: undefined,
    riskDisclosure: undefined,
    returnRate: undefined,
    terms: undefined,
  },
  'POST /cart/items': { variantId: undefined },
  'POST /cart/checkout': {
    billingAddressId: undefined,
    couponCodes: [],
    notes: 'Please ring twice.',
    usePartnerBalance: false,
  },
  'POST /admin/kyc/:id/approve': { submittedAt: undefined },
  'POST /admin/kyc/:id/reject': { submittedAt: undefined },
  'POST /admin/kyc/:id/request-info': { submittedAt: undefined },
  'POST /orders/:id/refund': { itemIds: undefined },
  'POST /shipping/calculate': {
    destination: { country: demo.country, city: 'Berlin', postalCode: '10117' },
    items: [{ productId: demo.product, quantity: 2 }],
  },
  'PATCH /admin/users/:id': {
    email: undefined,
    phone: undefined,
    profile: { firstName: 'Amelie', lastName: 'Aumann' },
    roles: undefined,
  },
  'POST /admin/categories': { parentId: demo.category },
  // Its countries stay as they are: each belongs to a zone already.
  'POST /admin/shipping-methods': {
    name: 'Parcel shop',
    zones: [{ name: 'European Union', basePrice: 3.9, pricePerKg: 0.5 }],
  },
  'POST /admin/products/:id/variants': {
    name: '10 m',
    sku: 'CABLE-10M',
    price: 29.9,
    attributes: { length: '10 m' },
  },
  'PATCH /admin/products/:id/variants/:variantId': {
    name: '5 m, braided',
    sku: undefined,
    price: 21.9,
    attributes: { length: '5 m' },
    stockQuantity: 40,
  },
};

/** The example of the endpoint's body: `sample`, with the fields that the demo data need. */
export function bodyExample(endpoint: Pick<Endpoint, 'method' | 'path'>, sample: unknown): unknown {
  const fields = BODIES[nameOf(endpoint)];
  if (fields === undefined || typeof sample !== 'object' || sample === null) return sample;
  return Object.fromEntries(
    Object.entries({ ...sample, ...fields }).filter(([, value]) => value !== undefined),
  );
}
