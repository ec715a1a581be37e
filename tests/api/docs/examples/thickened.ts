import { prefilled } from './demo-world';
import { nameOf } from '../../../../api/docs/examples/requests';
import { endpoints } from '../../../../api/endpoints';
import type { Endpoint } from '../../../../api/http/endpoint';
import type { Arrange, Arranged } from '../../families/arrangements/arranged';
import { arrangedFor } from '../../families/arrangements/arrangements';
import type { FamilyWorld, Person } from '../../families/arrangements/family-world';
import { sendArranged } from '../../families/arrangements/send';
import { thickenedInvestments } from './thickened-investments';

const named = (name: string): Endpoint => endpoints.find((endpoint) => nameOf(endpoint) === name)!;

/** Sends another endpoint's arranged request before; answers that request. */
async function sent(family: FamilyWorld, person: Person, name: string): Promise<Arranged> {
  const arranged = await arrangedFor(family, named(name), person);
  await sendArranged(family, named(name), person, arranged);
  return arranged;
}

/** The request about what the arrangement of another endpoint makes. */
const like =
  (name: string): Arrange =>
  async (family, person) => {
    const { params } = await arrangedFor(family, named(name), person);
    return { params: params ?? {} };
  };

/** A request without parameters, after the arrangement of another endpoint. */
const withThat =
  (name: string): Arrange =>
  async (family, person) => {
    await arrangedFor(family, named(name), person);
    return {};
  };

/** Requests that are recorded as the documentation page fills them in: they succeed on the demo data. */
const AS_DOCUMENTED = [
  'GET /categories/:id',
  'GET /investment/strategies/:id',
  'POST /investment/participations',
  'POST /investment/strategies/:id/sso-redirect',
  'POST /shipping/calculate',
  'GET /admin/users/:id',
  'PATCH /admin/users/:id',
  'POST /admin/categories',
  'PATCH /admin/categories/:id',
  'POST /admin/coupons',
  'PATCH /admin/coupons/:id',
  'POST /admin/products',
  'PATCH /admin/products/:id',
  'GET /admin/products/:id/stock-movements',
  'PATCH /admin/products/:id/images/:imageId',
  'POST /admin/products/:id/variants',
  'PATCH /admin/products/:id/variants/:variantId',
  'GET /admin/providers/:code',
  'PATCH /admin/providers/:code',
  'POST /admin/providers',
  'POST /admin/providers/:code/rotate-secret',
  'GET /admin/strategies/:id',
  'PATCH /admin/strategies/:id',
  'POST /admin/strategies',
  'POST /admin/shipping-methods',
  'PATCH /admin/shipping-methods/:id',
  'PUT /admin/tax-rates/:country',
];

/** Requests whose answer shows more than the family's arranged ones: lists with entries, orders with a history. */
export const thickened: Readonly<Record<string, Arrange>> = {
  ...Object.fromEntries(AS_DOCUMENTED.map((name) => [name, () => prefilled(named(name))])),
  ...thickenedInvestments,
  'GET /orders': withThat('GET /orders/:id/tracking'),
  'GET /orders/:id': like('GET /orders/:id/tracking'),
  'GET /users/me/balance': withThat('GET /orders/:id/tracking'),
  'GET /users/me/export': async (family, person) => {
    await arrangedFor(family, named('GET /orders/:id/tracking'), person);
    await arrangedFor(family, named('POST /users/kyc/submit'), person);
    return {};
  },
  'GET /users/kyc': withThat('POST /users/kyc/submit'),
  'GET /cart': async (family, person) => {
    await sent(family, person, 'POST /cart/coupons');
    return {};
  },
  'GET /products/:id/reviews': async (family, person) => {
    const { params } = await sent(family, person, 'POST /products/:id/reviews/:reviewId/helpful');
    return { params: { id: params!['id']! } };
  },
  'GET /admin/orders': withThat('GET /orders/:id/tracking'),
  'GET /admin/operations': withThat('POST /admin/operations/:workflowId/retry'),
  'GET /admin/domain-events': () => ({ query: { pageSize: '1' } }),
  'GET /admin/messages': withThat('POST /admin/messages/:id/resend'),
  'GET /admin/refunds': withThat('POST /admin/refunds/:id/approve'),
  'GET /admin/payment-refunds': withThat('GET /admin/payment-refunds/:id'),
  'GET /admin/withdrawals': withThat('GET /admin/withdrawals/:id'),
  'GET /admin/webhook-events': withThat('POST /admin/webhook-events/:id/replay'),
  'GET /admin/kyc/queue': withThat('GET /admin/kyc/:id'),
  'GET /admin/reviews': withThat('POST /admin/reviews/:id/publish'),
  'GET /admin/audit-logs': async (family, person) => {
    await sent(family, person, 'PATCH /admin/coupons/:id');
    return { query: { actor: person.user.id } };
  },
};
