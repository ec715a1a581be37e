import { argon2id } from '../../../../api/http/auth/passwords/passwords';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../identity-server';

/** While it is set, every check of a password waits for it. */
let held: Promise<void> | undefined;
let checking = 0;
let mostAtOnce = 0;
let begun = 0;
const server = ownIdentityServer(
  { PASSWORD_CHECKS_AT_ONCE: '2' },
  {
    hash: argon2id.hash,
    async verify(passwordHash, password) {
      begun++;
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

/** Two run, and forty wait for each of them. */
const ROOM = 2 + 80;

test('a flood is shed: what has no room gets 503 with Retry-After at once, and all is well when it is over', async () => {
  const user = await make.user(server.db);
  const { accessToken } = await server.logIn(user);
  let letGo = (): void => undefined;
  held = new Promise((resolve) => {
    letGo = resolve;
  });
  const answers: { status: number; code: string | undefined; retryAfter: string | undefined }[] = [];
  const flood = Array.from({ length: ROOM + 20 }, async () => {
    const { status, body, headers } = await server.http.post('/api/v1/auth/login').send(user);
    answers.push({ status, code: body.error?.code, retryAfter: headers['retry-after'] });
  });
  await eventually(() => expect(answers).toHaveLength(20));
  expect(answers).toEqual(Array(20).fill({ status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '2' }));
  expect(await server.opens(accessToken)).toBe(true);
  letGo();
  await Promise.all(flood);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(ROOM);
  expect((await server.http.post('/api/v1/auth/login').send(user)).status).toBe(200);
});

test('a client who has gone gives up its place, and its password is not checked', async () => {
  const user = await make.user(server.db);
  let letGo = (): void => undefined;
  held = new Promise((resolve) => {
    letGo = resolve;
  });
  const url = await server.listening();
  const send = (signal: AbortSignal | null) =>
    fetch(`${url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: user.email, password: user.password }),
      signal,
    }).then(({ status }) => status);
  const running = [send(null), send(null)];
  await eventually(() => expect(checking).toBe(2));
  // Whatever is answered on a new connection was read after what came before it.
  const roundTrips = async () => {
    for (let i = 0; i < 5; i++) await (await fetch(`${url}/.well-known/jwks.json`)).text();
  };
  const client = new AbortController();
  const gone = Array.from({ length: 5 }, () => send(client.signal).catch(() => 'gone'));
  await roundTrips();
  begun = 0;
  client.abort();
  expect(new Set(await Promise.all(gone))).toEqual(new Set(['gone']));
  await roundTrips();
  const next = send(null);
  letGo();
  expect(await Promise.all([...running, next])).toEqual([200, 200, 200]);
  expect(begun).toBe(1);
});
