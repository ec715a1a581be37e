import { z } from 'zod';
import { drivers } from '../../../../activities/providers/drivers';
import { AdminProvider } from '../../../../api/admin/providers/provider.view';
import { providerSecrets } from '../../../../db/investment/provider/provider.reads';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { nextNumber } from '../../../support/builders/make/insert';
import { testKeys } from '../../../support/worlds/variables';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';

const lines: string[] = [];
let administration: AdminWorld;
beforeAll(async () => {
  administration = await startAdminWorld({ worker: false, lines });
});
afterAll(() => administration.world.teardown());

const Shape = z.strictObject(AdminProvider.shape);
const NewShape = z.strictObject({
  ...AdminProvider.shape,
  webhookSecret: z.string().regex(/^whsec_[A-Za-z0-9+/]{43}=$/),
  ssoKey: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});

const sent = (code = `capital-${nextNumber()}`) => ({
  code,
  name: 'Gamma Capital',
  apiBase: `https://${code}.example/api`,
  ssoAudience: `${code}.example`,
  ssoUrl: `https://app.${code}.example/sign-in`,
});
const create = (body: object, token = administration.tokens.superAdmin) =>
  administration.ask('post', '/admin/providers', body, token);
const change = (code: string, body: object, token = administration.tokens.superAdmin) =>
  administration.ask('patch', `/admin/providers/${code}`, body, token);
const rotate = (code: string, body?: object, token = administration.tokens.superAdmin) =>
  administration.ask('post', `/admin/providers/${code}/rotate-secret`, body ?? {}, token);
const live = (code: string, purpose: 'WEBHOOK' | 'SSO' = 'WEBHOOK', at = new Date()) =>
  providerSecrets(administration.world.db, testKeys, code, purpose, at);

describe('POST /admin/providers', () => {
  test('201 with the secrets, which are in force, and audited without them', async () => {
    const body = sent();
    const answer = await create({ ...body, limit: 900 });
    expect(answer.status).toBe(201);
    const made = NewShape.parse(answer.body.data);
    expect(made).toMatchObject({ ...body, limit: 900, isActive: true });
    expect(made.secrets).toEqual([
      { purpose: 'SSO', createdAt: made.createdAt, validUntil: null },
      { purpose: 'WEBHOOK', createdAt: made.createdAt, validUntil: null },
    ]);
    expect(await live(body.code)).toEqual([made.webhookSecret]);
    expect(await live(body.code, 'SSO')).toEqual([made.ssoKey]);
    const actorId = administration.superAdmin.id;
    expect(await recordsOf(administration, 'provider', body.code)).toEqual([
      {
        actorId,
        action: 'provider.create',
        previous: null,
        next: { ...body, webhooksPerMinute: 900, isActive: true },
      },
    ]);
  });

  test('a provider needs a code and a name only', async () => {
    const { status, body } = await create({ code: 'lean', name: 'Lean', isActive: false });
    expect(status).toBe(201);
    const nothing = { apiBase: null, ssoAudience: null, ssoUrl: null, limit: null };
    expect(body.data).toMatchObject({ code: 'lean', ...nothing, isActive: false });
  });

  test.each(drivers.map(({ code }) => code))('PROVIDER_CODE_TAKEN: %s is ours', async (code) => {
    const answer = await create(sent(code));
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(answer.body.error).toMatchObject({
      reason: 'PROVIDER_CODE_TAKEN',
      details: { code: ['is taken'] },
    });
    expect(await recordsOf(administration, 'provider', code)).toEqual([]);
  });

  test('PROVIDER_CODE_TAKEN: of ten at once with one code, one is added', async () => {
    const body = sent();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(body)));
    expect(answers.map(outcomeOf).sort()).toEqual(['201', ...Array<string>(9).fill('400 VALIDATION_ERROR')]);
    const [added] = answers.filter(({ status }) => status === 201);
    expect(await live(body.code)).toEqual([added!.body.data.webhookSecret]);
    expect(await recordsOf(administration, 'provider', body.code)).toHaveLength(1);
  });

  test.each([
    { code: 'A' },
    { code: 'a' },
    { code: '1alpha' },
    { code: 'alpha_1' },
    { code: `a${'b'.repeat(40)}` },
    { name: ' ' },
    { ssoAudience: 'two words' },
    { limit: 0 },
    { limit: 1.5 },
    { limit: 1_000_001 },
    { ssoUrl: '' },
    { isActive: 'yes' },
  ])('400 VALIDATION_ERROR for %p', async (wrong) => {
    expect(outcomeOf(await create({ ...sent(), ...wrong }))).toBe('400 VALIDATION_ERROR');
  });

  test.each([
    'http://gamma.example/api',
    'https://gamma.example:22/api',
    'https://user:password@gamma.example',
    'https://gamma.example/?a=b',
    'https://127.0.0.1',
    'https://[::ffff:a00:1]/',
    'https://0x7f000001/',
    'https://localhost/api',
    'https://db:5432',
    'not an address',
  ])('ADDRESS_NOT_PUBLIC: %s, and nothing is added', async (apiBase) => {
    const body = { ...sent(), apiBase };
    const answer = await create(body);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(answer.body.error.reason).toBe('ADDRESS_NOT_PUBLIC');
    expect(answer.body.error.details.apiBase).toHaveLength(1);
    expect((await administration.ask('get', `/admin/providers/${body.code}`)).status).toBe(404);
  });

  test.each(['http://gamma.example/sso', 'https://127.0.0.1/sso', 'https://gamma.example/sso?a=b'])(
    'ADDRESS_NOT_PUBLIC: users are not led to %s either',
    async (ssoUrl) => {
      const answer = await create({ ...sent(), ssoUrl });
      expect(answer.body.error.reason).toBe('ADDRESS_NOT_PUBLIC');
      expect(Object.keys(answer.body.error.details as object)).toEqual(['ssoUrl']);
      const { code } = await make.provider(administration.world.db);
      expect(outcomeOf(await change(code, { ssoUrl }))).toBe('400 VALIDATION_ERROR');
    },
  );

  test('403 FORBIDDEN for an ADMIN, who decides nothing about secrets and addresses', async () => {
    expect(outcomeOf(await create(sent(), administration.tokens.admin))).toBe('403 FORBIDDEN');
  });
});

describe('GET /admin/providers', () => {
  test('200 by code, for an ADMIN, without any secret', async () => {
    const { webhookSecret, ssoKey } = await make.provider(administration.world.db, { code: 'aaa' });
    const { status, body, text } = await administration.ask('get', '/admin/providers?pageSize=2');
    expect(status).toBe(200);
    const found = z.array(Shape).parse(body.data.providers);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({ code: 'aaa', secrets: [{ purpose: 'SSO' }, { purpose: 'WEBHOOK' }] });
    expect(found[1]!.secrets).toHaveLength(2);
    for (const secret of [webhookSecret, ssoKey]) expect(text).not.toContain(secret);
    const second = await administration.ask('get', '/admin/providers?pageSize=2&page=2');
    expect(z.array(Shape).parse(second.body.data.providers)[0]!.code > found[1]!.code).toBe(true);
  });

  test('of one: 200, 404 PROVIDER_NOT_FOUND, 400 VALIDATION_ERROR for what is no code', async () => {
    const { code } = await make.provider(administration.world.db);
    const answer = await administration.ask('get', `/admin/providers/${code}`);
    expect(Shape.parse(answer.body.data)).toMatchObject({ code, isActive: true });
    expect(outcomeOf(await administration.ask('get', '/admin/providers/nobody'))).toBe(
      '404 PROVIDER_NOT_FOUND',
    );
    expect(outcomeOf(await administration.ask('get', '/admin/providers/NOBODY%00'))).toBe(
      '400 VALIDATION_ERROR',
    );
  });
});

describe('PATCH /admin/providers/:code', () => {
  test('200: what is sent changes, null clears, and only what changed is audited', async () => {
    const { code } = await make.provider(administration.world.db, { name: 'Old' });
    const { status, body } = await change(code, { name: 'New', apiBase: null, isActive: true });
    expect(status).toBe(200);
    expect(Shape.parse(body.data)).toMatchObject({
      ...{ code, name: 'New', apiBase: null, ssoAudience: `${code}.example` },
    });
    const apiBase = `https://${code}.example/api`;
    expect(await recordsOf(administration, 'provider', code)).toMatchObject([
      { action: 'provider.update', previous: { name: 'Old', apiBase }, next: { name: 'New', apiBase: null } },
    ]);
    expect((await change(code, { name: 'New' })).status).toBe(200);
    expect(await recordsOf(administration, 'provider', code)).toHaveLength(1);
  });

  test('200: the limit of its reports and the page of its sign-ins, set and cleared', async () => {
    const { code } = await make.provider(administration.world.db);
    const ssoUrl = `https://app.${code}.example/sign-in`;
    const set = await change(code, { limit: 120, ssoUrl });
    expect(Shape.parse(set.body.data)).toMatchObject({ limit: 120, ssoUrl });
    const kept = await change(code, { name: 'Renamed' });
    expect(kept.body.data).toMatchObject({ limit: 120, ssoUrl });
    const cleared = await change(code, { limit: null, ssoUrl: null });
    expect(cleared.body.data).toMatchObject({ limit: null, ssoUrl: null });
  });

  test.each(['', '   '])(
    'VALIDATION_ERROR: %j is no address, for a change and for a new one',
    async (apiBase) => {
      const { code } = await make.provider(administration.world.db);
      for (const answer of [await change(code, { apiBase }), await create({ ...sent(), apiBase })]) {
        expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
        expect(Object.keys(answer.body.error.details as object)).toEqual(['apiBase']);
      }
      const shown = await administration.ask('get', `/admin/providers/${code}`);
      expect(shown.body.data.apiBase).toBe(`https://${code}.example/api`);
      await expect(
        execute(administration.world.db, 'UPDATE investment_providers SET api_base = $2 WHERE code = $1', [
          code,
          apiBase,
        ]),
      ).rejects.toThrow();
    },
  );

  test('ADDRESS_NOT_PUBLIC, and the address stays', async () => {
    const { code } = await make.provider(administration.world.db);
    const answer = await change(code, { name: 'New', apiBase: 'https://169.254.169.254/latest' });
    expect(answer.body.error.reason).toBe('ADDRESS_NOT_PUBLIC');
    const shown = await administration.ask('get', `/admin/providers/${code}`);
    expect(shown.body.data.apiBase).toBe(`https://${code}.example/api`);
  });

  test('404 PROVIDER_NOT_FOUND, 403 FORBIDDEN for an ADMIN', async () => {
    expect(outcomeOf(await change('nobody', { name: 'New' }))).toBe('404 PROVIDER_NOT_FOUND');
    const { code } = await make.provider(administration.world.db);
    expect(outcomeOf(await change(code, { name: 'New' }, administration.tokens.admin))).toBe('403 FORBIDDEN');
  });
});

describe('POST /admin/providers/:code/rotate-secret', () => {
  const DAY_MS = 86_400_000;

  test('200: reports are accepted under both for 24 hours, then under the new one', async () => {
    const { code, webhookSecret: first, ssoKey } = await make.provider(administration.world.db);
    const sentAt = Date.now();
    const { status, body } = await rotate(code);
    expect(status).toBe(200);
    const { webhookSecret: second, previousValidUntil } = body.data as Record<string, string>;
    expect(body.data).toEqual({ code, secret: 'WEBHOOK', webhookSecret: second, previousValidUntil });
    const end = new Date(previousValidUntil!);
    expect(end.getTime() - DAY_MS).toBeGreaterThanOrEqual(sentAt - 1);
    expect(end.getTime() - DAY_MS).toBeLessThanOrEqual(Date.now() + 1);
    expect(await live(code)).toEqual([second, first]);
    expect(await live(code, 'WEBHOOK', new Date(end.getTime() - 1))).toEqual([second, first]);
    expect(await live(code, 'WEBHOOK', end)).toEqual([second]);
    expect(await live(code, 'SSO')).toEqual([ssoKey]);
    const shown = await administration.ask('get', `/admin/providers/${code}`);
    expect(shown.body.data.secrets).toMatchObject([
      { purpose: 'SSO', validUntil: null },
      { purpose: 'WEBHOOK', validUntil: null },
      { purpose: 'WEBHOOK', validUntil: previousValidUntil },
    ]);
    expect(await recordsOf(administration, 'provider', code)).toMatchObject([
      {
        action: 'provider.rotate-secret',
        previous: { purpose: 'WEBHOOK', validUntil: null },
        next: { purpose: 'WEBHOOK', validUntil: previousValidUntil },
      },
    ]);
  });

  test('200: the key of sign-in tokens is replaced at once', async () => {
    const { code, ssoKey } = await make.provider(administration.world.db);
    const { body } = await rotate(code, { secret: 'SSO' });
    expect(body.data).toEqual({
      code,
      secret: 'SSO',
      ssoKey: expect.stringMatching(/^[\w-]{43}$/) as string,
      previousValidUntil: null,
    });
    expect(body.data.ssoKey).not.toBe(ssoKey);
    expect(await live(code, 'SSO')).toEqual([body.data.ssoKey]);
  });

  test('two at once come one after the other: both are audited, the first secret is refused', async () => {
    const { code, webhookSecret } = await make.provider(administration.world.db);
    const answers = await Promise.all([rotate(code), rotate(code)]);
    const made = answers.map(({ body }) => body.data.webhookSecret as string);
    const left = await live(code);
    expect(left).not.toContain(webhookSecret);
    expect([...left].sort()).toEqual([...made].sort());
    expect(await recordsOf(administration, 'provider', code)).toHaveLength(2);
  });

  test('404 PROVIDER_NOT_FOUND, 403 FORBIDDEN for an ADMIN, 400 VALIDATION_ERROR for another secret', async () => {
    expect(outcomeOf(await rotate('nobody'))).toBe('404 PROVIDER_NOT_FOUND');
    const { code, webhookSecret } = await make.provider(administration.world.db);
    expect(outcomeOf(await rotate(code, {}, administration.tokens.admin))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await rotate(code, { secret: 'API' }))).toBe('400 VALIDATION_ERROR');
    expect(await live(code)).toEqual([webhookSecret]);
  });
});

test('secrets are in no table, no log and no stored answer, also of requests under a key', async () => {
  const { db, http } = administration.world;
  const body = sent();
  const keyed = (path: string, content: object) =>
    http
      .post(`/api/v1${path}`)
      .auth(administration.tokens.superAdmin, { type: 'bearer' })
      .set('Idempotency-Key', `key-${nextNumber()}`)
      .send(content);
  const created = await keyed('/admin/providers', body);
  const rotated = await keyed(`/admin/providers/${body.code}/rotate-secret`, {});
  const { webhookSecret, ssoKey } = created.body.data as Record<string, string>;
  const secrets = [webhookSecret!, ssoKey!, rotated.body.data.webhookSecret as string];
  const bytes = secrets.map((secret) => Buffer.from(secret.replace('whsec_', ''), 'base64'));
  const hidden = [...secrets, ...secrets.map((secret) => Buffer.from(secret).toString('hex'))];
  hidden.push(...bytes.map((secret) => secret.toString('hex')));
  expect(secrets).not.toContain(undefined);

  const tables = await rows<{ name: string }>(
    db,
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  let stored = '';
  for (const { name } of tables)
    for (const { row } of await rows<{ row: string }>(db, `SELECT t::text AS row FROM ${name} t`))
      stored += row;
  expect(stored).toContain(body.code);
  expect(lines.join('')).toContain('/admin/providers');
  for (const secret of hidden) {
    expect(stored).not.toContain(secret);
    expect(lines.join('')).not.toContain(secret);
  }
});
