import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { endpoints } from '../../../api/endpoints';
import type { Endpoint } from '../../../api/http/endpoint';
import { make } from '../../support/builders/make';
import type { Arranged } from './arrangements/arranged';
import { arrangedFor, isArranged } from './arrangements/arrangements';
import { nameOf, startFamilyWorld, type Person, type FamilyWorld } from './arrangements/family-world';
import { sendArranged } from './arrangements/send';

let family: FamilyWorld;
let mallory: Person;
beforeAll(async () => {
  family = await startFamilyWorld();
  mallory = await family.person();
});
afterAll(() => family.world.teardown());

/** Endpoints whose parameter names something without an owner. */
const NOBODYS: Readonly<Record<string, string>> = {
  'GET /products/:id': 'the catalogue is for everyone',
  'GET /products/:id/reviews': 'what is published is for everyone',
  'POST /products/:id/reviews': 'names a product; the review is the caller’s own',
  'POST /products/:id/reviews/:reviewId/helpful': 'names what is published; the vote is the caller’s own',
  'DELETE /products/:id/reviews/:reviewId/helpful': 'names what is published; the vote is the caller’s own',
  'GET /categories/:id': 'the catalogue is for everyone',
  'DELETE /cart/coupons/:code': 'a code is the same for everyone; the cart is the caller’s own',
  'POST /payments/webhooks/:provider': 'names a provider',
  'GET /auth/external/:provider': 'names a provider',
  'GET /auth/external/:provider/callback': 'names a provider',
};
const withId = endpoints.filter(({ path }) => path.includes(':'));
const isAdministration = ({ auth }: Endpoint): boolean => auth === 'admin' || auth === 'super-admin';
const own = withId.filter((endpoint) => !isAdministration(endpoint) && !(nameOf(endpoint) in NOBODYS));

const said = ({ status, body }: Response) => ({ status, body: body as object });
const withRandomId = (arranged: Arranged): Arranged => ({
  ...arranged,
  params: Object.fromEntries(Object.keys(arranged.params ?? {}).map((name) => [name, randomUUID()])),
});

test('every endpoint with an id is either tried here or has its reason', () => {
  expect(own.filter((endpoint) => !isArranged(endpoint)).map(nameOf)).toEqual([]);
  const names = withId.map(nameOf);
  expect(Object.keys(NOBODYS).filter((name) => !names.includes(name))).toEqual([]);
  expect(own.length).toBeGreaterThan(5);
});

describe('API1: another person’s id is answered like an unknown id', () => {
  test.each(own.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))('$name', async ({ endpoint }) => {
    const ada = await family.person();
    const hers = await arrangedFor(family, endpoint, ada);
    const foreign = await sendArranged(family, endpoint, mallory, hers);
    const random = await sendArranged(family, endpoint, mallory, withRandomId(hers));
    expect(foreign.status).toBe(404);
    expect(said(foreign)).toEqual(said(random));
    // It is there and unchanged: its owner's same request succeeds.
    const { status } = await sendArranged(family, endpoint, ada, hers);
    expect(endpoint.success).toContain(status);
  });
});

describe('API1: nor does it help in a body or a query', () => {
  const post = (path: string, body: object) =>
    family.world.http.post(`/api/v1${path}`).auth(mallory.token, { type: 'bearer' }).send(body);

  test('an address at checkout', async () => {
    const ada = await family.person();
    const order = { shippingMethodId: family.methodId, paymentMethod: 'CARD' };
    const own = { shippingAddressId: mallory.user.addressId };
    const foreign = await post('/cart/checkout', { ...order, shippingAddressId: ada.user.addressId });
    const random = await post('/cart/checkout', { ...order, shippingAddressId: randomUUID() });
    expect([foreign.status, said(foreign)]).toEqual([400, said(random)]);
    const billedTo = (id: string) => post('/cart/checkout', { ...order, ...own, billingAddressId: id });
    expect(said(await billedTo(ada.user.addressId))).toEqual(said(await billedTo(randomUUID())));
  });

  test('a variant of another product', async () => {
    const other = await make.product(family.world.db);
    const variant = await make.variant(family.world.db, other.id);
    const add = (variantId: string) =>
      post('/cart/items', { productId: family.productId, variantId, quantity: 1 });
    const foreign = await add(variant.id);
    expect([foreign.status, said(foreign)]).toEqual([404, said(await add(randomUUID()))]);
  });

  test('a cart at shipping', async () => {
    const ada = await family.person();
    const cartOf = async (person: Person) => {
      const { body } = await family.world.http.get('/api/v1/cart').auth(person.token, { type: 'bearer' });
      return String(body.data.id);
    };
    const methods = (cartId: string) =>
      family.world.http
        .get(`/api/v1/shipping/methods?country=DE&cartId=${cartId}`)
        .auth(mallory.token, { type: 'bearer' });
    const foreign = await methods(await cartOf(ada));
    expect([foreign.status, said(foreign)]).toEqual([400, said(await methods(randomUUID()))]);
    expect((await methods(await cartOf(mallory))).status).toBe(200);
  });
});
