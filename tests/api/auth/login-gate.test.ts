import { argon2id } from '../../../api/http/auth/passwords';
import { eventually } from '../../support/eventually';
import { make } from '../../support/make';
import { ownIdentityServer } from './identity-server';

/** While it is set, every check of a password waits for it. */
let held: Promise<void> | undefined;
let checking = 0;
let mostAtOnce = 0;
const server = ownIdentityServer(
  { PASSWORD_CHECKS_AT_ONCE: '2' },
  {
    hash: argon2id.hash,
    async verify(passwordHash, password) {
      mostAtOnce = Math.max(mostAtOnce, ++checking);
      try {
        await held;
        return await argon2id.verify(passwordHash, password);
      } finally {
        checking--;
      }
    },
  },
);

test('however many log in, two passwords are checked at a time, and everyone else is served meanwhile', async () => {
  const user = await make.user(server.db);
  const { accessToken } = await server.logIn(user);
  let letGo = (): void => undefined;
  held = new Promise((resolve) => {
    letGo = resolve;
  });
  let answered = 0;
  const flood = Array.from({ length: 50 }, async () => {
    const { status } = await server.http.post('/api/v1/auth/login').send(user);
    answered++;
    return status;
  });
  await eventually(() => expect(checking).toBe(2));
  for (let i = 0; i < 10; i++) expect(await server.opens(accessToken)).toBe(true);
  expect({ answered, mostAtOnce }).toEqual({ answered: 0, mostAtOnce: 2 });

  letGo();
  expect(await Promise.all(flood)).toEqual(Array(50).fill(200));
  expect(mostAtOnce).toBe(2);
});
