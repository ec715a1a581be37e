import { make } from '../../../support/builders/make';
import { startWorld, type World } from '../../../support/worlds/world';

const LOGINS = 50;

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: false, variables: { PASSWORD_CHECKS_AT_ONCE: '1' } });
});
afterAll(() => world.teardown());

test('a flood of logins does not delay other requests: they are answered long before it is over', async () => {
  const { email, password } = await make.user(world.db);
  await make.product(world.db);
  const read = async () => expect((await world.http.get('/api/v1/products?search=flood')).status).toBe(200);
  await read();

  let answered = 0;
  const flood = Array.from({ length: LOGINS }, async () => {
    const { status } = await world.http.post('/api/v1/auth/login').send({ email, password });
    answered++;
    return status;
  });
  const seen: number[] = [];
  for (let i = 0; i < 5; i++) {
    await read();
    seen.push(answered);
  }
  // Passwords are checked a few at a time: five reads, one after another, do not wait for most of fifty logins.
  expect(seen.at(-1)).toBeLessThan(LOGINS / 2);
  // Requests beyond the queue are refused; those in the queue succeed in the end.
  const statuses = await Promise.all(flood);
  expect(new Set([200, 503, ...statuses]).size).toBe(2);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(LOGINS / 2);
});
