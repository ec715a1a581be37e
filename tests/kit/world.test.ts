import { make } from '../support/builders/make';
import { logIn } from '../support/builders/sign-in';
import { startWorld, type World } from '../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.teardown());

test('the API answers over HTTP, with database and Temporal behind it', async () => {
  const { status, body } = await world.http.get('/health/ready');
  expect({ status, body }).toMatchObject({ status: 200 });
});

test('a created user signs in and is recognised', async () => {
  const buyer = await make.buyer(world.db);
  const token = await logIn(world, buyer);
  const { body } = await world.http.get('/api/v1/users/me/addresses').auth(token, { type: 'bearer' });
  expect(body.data.addresses).toEqual([expect.objectContaining({ id: buyer.addressId, country: 'DE' })]);
});

test('a wrong password does not', async () => {
  const buyer = await make.buyer(world.db);
  await expect(logIn(world, { ...buyer, password: 'Wrong-horse-7!' })).rejects.toThrow('INVALID_CREDENTIALS');
});
