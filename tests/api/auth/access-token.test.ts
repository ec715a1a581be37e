import {
  createLocalJWKSet,
  decodeProtectedHeader,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
  type JWTHeaderParameters,
} from 'jose';
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
} from 'node:crypto';
import { v7 } from 'uuid';
import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import type { User } from '../../support/builders/make/people';
import { ownIdentityServer, type Tokens } from './identity-server';

describe('access tokens', () => {
  interface Key extends JsonWebKey {
    kid: string;
  }

  const newKey = (kid: string): Key => ({
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
    kid,
  });
  const [old, current, stranger] = [newKey('old'), newKey('current'), newKey('current')];
  const both = { JWT_KEYS: JSON.stringify([current, old]) };
  const server = ownIdentityServer(both);

  let user: User;
  let sid: string;
  beforeAll(async () => {
    user = await make.user(server.db);
    await server.logIn(user);
    sid = (await server.sessionsOf(user))[0]!.id;
  });

  const now = () => Math.floor(Date.now() / 1000);
  const goodClaims = () => ({
    sub: user.id,
    sid,
    iss: 'marketplace-platform',
    aud: 'marketplace-api',
    iat: now(),
    exp: now() + 900,
  });
  const goodHeader: JWTHeaderParameters = { alg: 'ES256', typ: 'at+jwt', kid: 'current' };
  const privateKey = (key: Key) => createPrivateKey({ key, format: 'jwk' });

  const signed = (claims: object = {}, header: object = {}, key = current) =>
    new SignJWT({ ...goodClaims(), ...claims })
      .setProtectedHeader({ ...goodHeader, ...header })
      .sign(privateKey(key));

  test('a token of ours is accepted with any live key', async () => {
    expect(await server.opens(await signed())).toBe(true);
    expect(await server.opens(await signed({}, { kid: 'old' }, old))).toBe(true);
  });

  describe('a token is refused', () => {
    const forgeries: Record<string, () => string | Promise<string>> = {
      'signed by a stranger under the name of our key': () => signed({}, {}, stranger),
      'signed by a key of ours under the name of another': () => signed({}, {}, old),
      'naming a key that we do not have': () => signed({}, { kid: 'lost' }),
      'naming what every object has': () => signed({}, { kid: 'constructor' }),
      'naming __proto__': () => signed({}, { kid: '__proto__' }),
      'naming no key': () => signed({}, { kid: undefined }),
      'bringing its own key': () => signed({}, { jwk: { ...stranger, d: undefined } }, stranger),
      'pointing at its own keys': () => signed({}, { jku: 'https://evil.example/jwks.json' }),
      'pointing at its own certificate': () => signed({}, { x5u: 'https://evil.example/cert.pem' }),
      'of another type (an SSO or temporary token)': () => signed({}, { typ: 'JWT' }),
      'of no type': () => signed({}, { typ: undefined }),
      'from another issuer': () => signed({ iss: 'somebody-else' }),
      'for another audience': () => signed({ aud: 'provider' }),
      expired: () => signed({ iat: now() - 901, exp: now() - 1 }),
      'that never expires': () => signed({ exp: undefined }),
      'not yet valid': () => signed({ nbf: now() + 60 }),
      'without a session': () => signed({ sid: undefined }),
      'naming a session that never was': () => signed({ sid: v7() }),
      "naming another user's session": async () => signed({ sub: (await make.user(server.db)).id }),
      'not signed at all': () => new UnsecuredJWT(goodClaims()).encode(),
      'signed with our public key as a shared secret': hmacWithPublicKey,
      'cut short': async () => (await signed()).slice(0, -4),
      'that is no token': () => 'nonsense',
    };
    test.each(Object.keys(forgeries))('%s', async (name) => {
      expect(await server.opens(await forgeries[name]!())).toBe(false);
    });
  });

  /** The classic confusion of algorithms. */
  function hmacWithPublicKey(): string {
    const pem = createPublicKey(privateKey(current)).export({ type: 'spki', format: 'pem' });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const input = `${part({ ...goodHeader, alg: 'HS256' })}.${part(goodClaims())}`;
    return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`;
  }

  describe('changes in the database take effect at once', () => {
    test('suspending a user stops their tokens; activating lets them on', async () => {
      const person = await make.user(server.db);
      const { accessToken } = await server.logIn(person);
      const become = (status: string) =>
        execute(server.db, 'UPDATE users SET status = $2 WHERE id = $1', [person.id, status]);
      await become('SUSPENDED');
      expect(await server.opens(accessToken)).toBe(false);
      await become('ACTIVE');
      expect(await server.opens(accessToken)).toBe(true);
    });

    test('an expired session has ended', async () => {
      const person = await make.user(server.db);
      const { accessToken } = await server.logIn(person);
      await execute(server.db, 'UPDATE sessions SET expires_at = now() WHERE user_id = $1', [person.id]);
      expect(await server.opens(accessToken)).toBe(false);
    });
  });

  describe('where a token is looked for', () => {
    const labels = async (headers: Record<string, string>) => {
      const { status, body } = await server.http.get('/api/v1/users/me/addresses').set(headers);
      return status === 200 ? body.data.addresses.map(({ label }: { label: string }) => label) : status;
    };
    const someoneWith = async (label: string) => {
      const person = await make.user(server.db);
      await make.address(server.db, person.id, { label });
      return (await server.logIn(person)).accessToken;
    };

    test('in the cookie, else in the header; a stale cookie locks nobody out', async () => {
      const [inCookie, inHeader] = [await someoneWith('cookie'), await someoneWith('header')];
      const cookie = { Cookie: `a=b; svc_access_token=${inCookie}` };
      const header = { Authorization: `Bearer ${inHeader}` };
      expect(await labels(cookie)).toEqual(['cookie']);
      expect(await labels(header)).toEqual(['header']);
      expect(await labels({ ...cookie, ...header })).toEqual(['cookie']);
      expect(await labels({ Cookie: 'svc_access_token=stale', ...header })).toEqual(['header']);
      expect(await labels({ Authorization: `Basic ${inHeader}` })).toBe(401);
      expect(await labels({})).toBe(401);
    });

    test('concurrent requests are not mixed up', async () => {
      const tokens = await Promise.all(Array.from({ length: 8 }, (_, i) => someoneWith(`nr ${i}`)));
      const seen = await Promise.all(tokens.map((token) => labels({ Authorization: `Bearer ${token}` })));
      expect(seen).toEqual(tokens.map((_, i) => [`nr ${i}`]));
    });
  });

  describe('GET /.well-known/jwks.json', () => {
    test('publishes every live key, and no private part', async () => {
      const { status, body, headers } = await server.http.get('/.well-known/jwks.json');
      expect(status).toBe(200);
      expect(headers['content-type']).toMatch(/^application\/jwk-set\+json/);
      const publicPart = ({ kid, x, y }: Key) => ({
        kty: 'EC',
        crv: 'P-256',
        kid,
        x,
        y,
        alg: 'ES256',
        use: 'sig',
      });
      expect(body).toEqual({ keys: [publicPart(current), publicPart(old)] });
    });

    test('others can verify our tokens by it', async () => {
      const { accessToken } = await server.logIn(user);
      const { body } = await server.http.get('/.well-known/jwks.json');
      const { payload } = await jwtVerify(accessToken, createLocalJWKSet(body), {
        audience: 'marketplace-api',
      });
      expect(payload.sub).toBe(user.id);
    });
  });

  test('keys can be rotated without logging anybody out', async () => {
    const { accessToken } = await server.logIn(user);
    const opens = async (keys: Key[]) => {
      const http = server.start({ JWT_KEYS: JSON.stringify(keys) });
      const { status } = await http.get('/api/v1/users/me/addresses').auth(accessToken, { type: 'bearer' });
      return status === 200;
    };
    expect(await opens([newKey('next'), current])).toBe(true);
    expect(await opens([newKey('next')])).toBe(false);
  });

  describe('unusable keys prevent the start', () => {
    test.each([
      ['no JSON', 'secret'],
      ['no key', '[]'],
      ['a key without a name', JSON.stringify([{ ...current, kid: undefined }])],
      ['two keys of one name', JSON.stringify([current, stranger])],
      ['a public key', JSON.stringify([{ ...current, d: undefined }])],
      ['a point off the curve', JSON.stringify([{ ...current, y: current.x }])],
    ])('%s', (_name, JWT_KEYS) => {
      expect(() => server.start({ JWT_KEYS })).toThrow();
    });
  });
});

describe('key rotation', () => {
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
});

describe('suspension', () => {
  const server = ownIdentityServer();

  test('API2: 7.4.2 suspending a user stops their access token at once, in two API processes', async () => {
    const processes = [server.start(), server.start()];
    const user = await make.user(server.db);
    const { accessToken, refreshToken } = await server.logIn(user);
    const ask = () =>
      Promise.all(
        processes.map(async (http) => {
          const answer = await http.get('/api/v1/auth/sessions').auth(accessToken, { type: 'bearer' });
          return answer.status;
        }),
      );
    expect(await ask()).toEqual([200, 200]);
    await execute(server.db, `UPDATE users SET status = 'SUSPENDED' WHERE id = $1`, [user.id]);
    expect(await ask()).toEqual([401, 401]);
    const refreshed = await processes[1]!.post('/api/v1/auth/refresh').send({ refreshToken });
    expect(refreshed.body.error.code).toBe('SESSION_REVOKED');
  });

  test('API2: what one process ends, the other refuses at once', async () => {
    const [here, there] = [server.start(), server.start()];
    const user = await make.user(server.db);
    const [mine, other] = [await server.logIn(user), await server.logIn(user)];
    const [, otherSession] = await server.sessionsOf(user);
    const ended = await here
      .delete(`/api/v1/auth/sessions/${otherSession!.id}`)
      .auth(mine.accessToken, { type: 'bearer' });
    expect(ended.status).toBe(200);
    const refused = await there.get('/api/v1/auth/sessions').auth(other.accessToken, { type: 'bearer' });
    expect(refused.status).toBe(401);
  });
});
