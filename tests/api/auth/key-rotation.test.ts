import { generateKeyPairSync } from 'node:crypto';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { make } from '../../support/builders/make';
import { ownIdentityServer, type Tokens } from './identity-server';

const newKey = (kid: string) => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid,
});
const keys = { old: newKey('old'), new: newKey('new') };
type Name = keyof typeof keys;

const server = ownIdentityServer();
type Process = ReturnType<typeof server.start>;
const processWith = (...names: Name[]): Process =>
  server.start({ JWT_KEYS: JSON.stringify(names.map((name) => keys[name])) });

/** The keys of two processes, step by step; between steps all tokens of the last 15 minutes expire. */
const steps: readonly [step: string, first: Name[], second: Name[]][] = [
  ['before', ['old'], ['old']],
  ['the new key is appended in one process', ['old', 'new'], ['old']],
  ['and in the other', ['old', 'new'], ['old', 'new']],
  ['it moves to the front in one', ['new', 'old'], ['old', 'new']],
  ['and in the other', ['new', 'old'], ['new', 'old']],
  ['the old key is dropped in one', ['new'], ['new', 'old']],
  ['and in the other', ['new'], ['new']],
];

const opens = async (api: Process, { accessToken }: Tokens): Promise<number> =>
  (await api.get('/api/v1/users/me/addresses').auth(accessToken, { type: 'bearer' })).status;

async function refreshed(api: Process, { refreshToken }: Tokens): Promise<Tokens> {
  const { status, body } = await api.post('/api/v1/auth/refresh').send({ refreshToken });
  expect(status).toBe(200);
  return body.data;
}

async function verifies(api: Process, { accessToken }: Tokens): Promise<void> {
  const { body } = await api.get('/.well-known/jwks.json');
  await jwtVerify(accessToken, createLocalJWKSet(body), { audience: 'marketplace-api' });
}

test('rotating keys logs nobody out, in either process, at any step', async () => {
  const user = await make.user(server.db);
  const logIn = async (): Promise<Tokens> =>
    (await processWith('old').post('/api/v1/auth/login').send(user)).body.data;
  let held = [await logIn(), await logIn()];
  const signers: unknown[] = [];
  for (const [step, ...configured] of steps) {
    const processes = configured.map((names) => processWith(...names));
    const fresh = [await refreshed(processes[0]!, held[0]!), await refreshed(processes[1]!, held[1]!)];
    const answers: number[] = [];
    for (const tokens of [...held, ...fresh]) {
      for (const api of processes) {
        answers.push(await opens(api, tokens));
        await verifies(api, tokens);
      }
    }
    expect([step, ...answers]).toEqual([step, ...Array<number>(8).fill(200)]);
    signers.push(fresh.map(({ accessToken }) => decodeProtectedHeader(accessToken).kid));
    held = fresh;
  }
  expect(signers).toEqual(steps.map(([, [first], [second]]) => [first, second]));
});

test('a token of a key that was dropped too early is refused, and its session goes on', async () => {
  const user = await make.user(server.db);
  const { body } = await processWith('old').post('/api/v1/auth/login').send(user);
  const hasty = processWith('new');
  expect(await opens(hasty, body.data)).toBe(401);
  expect(await opens(hasty, await refreshed(hasty, body.data))).toBe(200);
});
