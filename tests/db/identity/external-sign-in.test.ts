import { randomUUID } from 'node:crypto';
import { keepSignIn, takeSignIn } from '../../../db/identity/external-account/external-sign-in.writes';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const pending = { provider: 'corporate', region: 'EU', nonce: 'n', codeVerifier: 'v' };

test('a sign-in is taken once, by one of several concurrent requests', async () => {
  const state = randomUUID();
  await keepSignIn(own.db, state, pending, 60);
  const taken = await Promise.all(
    Array.from({ length: 5 }, () => takeSignIn(own.db, state, pending.provider)),
  );
  expect(taken.filter((one) => one !== null)).toEqual([pending]);
  expect(await takeSignIn(own.db, state, pending.provider)).toBeNull();
});

test('it is of the provider that it was begun with, and of no other', async () => {
  const state = randomUUID();
  await keepSignIn(own.db, state, pending, 60);
  expect(await takeSignIn(own.db, state, 'another')).toBeNull();
  expect(await takeSignIn(own.db, state, pending.provider)).toEqual(pending);
});
