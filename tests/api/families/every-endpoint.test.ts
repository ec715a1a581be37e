import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { endpoints } from '../../../api/endpoints';
import { contentTypeOf } from '../../../api/http/answer/files/text-stream';
import type { Endpoint } from '../../../api/http/endpoint';
import { actionsOn, type AuditedEntity } from '../../../db/administration/audit/audit-vocabulary';
import { verifyAuditChain } from '../../../db/administration/audit/audit.reads';
import { rows } from '../../../db/sql/query';
import { identifiedBy } from '../../../api/http/request/ids/identified';
import { specification } from '../../architecture/specification';
import { make } from '../../support/builders/make';
import { signIn } from '../../support/builders/sign-in';
import { eventually } from '../../support/checks/eventually';
import { OPEN_TO_ALL } from '../../support/resources';
import type { Ground, Person } from '../../support/resources/ground';
import { fieldsIn, shapeOf } from '../../support/resources/schemas';
import type { Arranged } from './arrangements/arranged';
import { arrangements, notArranged } from './arrangements/arrangements';
import { filled, roleFor, startFamilyWorld } from './arrangements/family-world';
import { arrangedFor } from './arrangements/requests';
import { routeOf } from '../../../api/docs/path';
import { send, sendArranged } from './arrangements/send';
import { undocumented } from './arrangements/undocumented';

let family: Ground;
beforeAll(async () => {
  family = await startFamilyWorld();
});
afterAll(() => family.world.teardown());

describe('roles', () => {
  const roles = ['nobody', 'USER', 'ADMIN', 'SUPER_ADMIN'] as const;
  type Role = (typeof roles)[number];
  type Expected = '401' | '403' | 'let in';

  /** The expected result for each role, by the access of the endpoint. */
  const expected: Readonly<Record<string, readonly Expected[]>> = {
    public: ['let in', 'let in', 'let in', 'let in'],
    optional: ['let in', 'let in', 'let in', 'let in'],
    user: ['401', 'let in', 'let in', 'let in'],
    admin: ['401', '403', 'let in', 'let in'],
    'super-admin': ['401', '403', '403', 'let in'],
  };

  /** Parameters may be named differently in the code. */
  const key = ({ method, path }: { method: string; path: string }): string =>
    `${method} ${path.replace(/:\w+/g, ':')}`;
  const asSpecified = new Map(specification.map((row) => [key(row), row.auth]));

  /** A new user each time: some endpoints end sessions and accounts. */
  async function tokenOf(role: Role): Promise<string | null> {
    switch (role) {
      case 'nobody':
        return null;
      case 'USER':
        return signIn(family.world, await make.user(family.world.db));
      case 'ADMIN':
        return signIn(family.world, await make.admin(family.world.db, { roles: ['ADMIN'] }));
      case 'SUPER_ADMIN':
        return signIn(family.world, await make.superAdmin(family.world.db, { roles: ['SUPER_ADMIN'] }));
    }
  }

  const kept = new Map<Role, string | null>();
  /** Reading changes nothing, so one user serves for all reads. */
  async function tokenFor(role: Role, { method }: Endpoint): Promise<string | null> {
    if (method !== 'get') return tokenOf(role);
    const token = kept.has(role) ? kept.get(role)! : await tokenOf(role);
    kept.set(role, token);
    return token;
  }

  async function call(endpoint: Endpoint, role: Role): Promise<Expected> {
    const token = await tokenFor(role, endpoint);
    const request = family.world.http[endpoint.method](`/api/v1${filled(endpoint.path)}`);
    if (token !== null) void request.auth(token, { type: 'bearer' });
    const { status, body } = await request;
    const code = (body as { error?: { code: string } }).error?.code;
    if (code === 'UNAUTHORIZED' || code === 'FORBIDDEN') return String(status) as Expected;
    if (code !== 'PROVIDER_NOT_CONFIGURED') expect(status).toBeLessThan(500);
    return 'let in';
  }

  describe('API5: each endpoint lets in whom the specification says, and nobody else', () => {
    test.each(endpoints.map((endpoint) => ({ name: routeOf(endpoint), endpoint })))(
      '$name',
      async ({ endpoint }) => {
        const met: Expected[] = [];
        for (const role of roles) met.push(await call(endpoint, role));
        expect(met).toEqual(expected[asSpecified.get(key(endpoint)) ?? 'not specified']);
      },
    );
  });

  test('API5: what is under /admin is for administrators, whatever is added', () => {
    const open = endpoints.filter(
      ({ path, auth }) => path.startsWith('/admin/') && auth !== 'admin' && auth !== 'super-admin',
    );
    expect(open.map(routeOf)).toEqual([]);
  });
});

describe('the audit trail', () => {
  /** Operations that compute an answer and change nothing. */
  const COMPUTES: readonly string[] = ['previewPool'];

  const deciding = endpoints.filter(
    (endpoint) =>
      endpoint.method !== 'get' &&
      (endpoint.auth === 'admin' || endpoint.auth === 'super-admin') &&
      !COMPUTES.includes(endpoint.id),
  );

  interface Recorded {
    actorId: string | null;
    action: string;
    entityType: AuditedEntity;
    entityId: string;
    previous: object | null;
    next: object | null;
    clientAddress: string | null;
  }

  /** The records of this test's administrator. */
  const recordsOf = (actorId: string): Promise<Recorded[]> =>
    rows<Recorded>(
      family.world.db,
      `SELECT actor_id, action, entity_type, entity_id, previous, next,
            client_address FROM audit_records WHERE actor_id = $1`,
      [actorId],
    );

  /** Operations without an earlier state, by id: something begins below what the path names. */
  const BEGINS: readonly string[] = [
    'addTrackingEvent',
    'addProductImage',
    'createVariant',
    'addStrategyDocument',
  ];

  /** True if it decides on what exists already, and that its body names. */
  const isNamedInBody = ({ success, body }: Endpoint): boolean =>
    !success.includes(201) && [...fieldsIn(body, '')].some(([, field]) => identifiedBy(field));

  /** True if it takes nothing that could be wrong: no id, no body and no file. */
  const takesNothing = ({ path, body, upload }: Endpoint): boolean =>
    !path.includes(':') && !upload && Object.keys(shapeOf(body)).length === 0;

  /** True if it creates something: no id in its path, but in its answer, and no earlier state. */
  const makes = ({ method, path }: Endpoint): boolean => method === 'post' && !path.includes(':');

  /** The status that refuses an empty body or an unknown id. */
  const wrongStatus = (endpoint: Endpoint): number => {
    if (makes(endpoint)) return endpoint.upload ? 415 : 400;
    return endpoint.path.endsWith('/:country') ? 400 : 404;
  };

  test('every endpoint by which an administrator changes something is tried', () => {
    const ids = deciding.map(({ id }) => id);
    expect(BEGINS.filter((id) => !ids.includes(id))).toEqual([]);
    expect(deciding.length).toBeGreaterThan(80);
  });

  test.each(deciding.map((endpoint) => ({ name: routeOf(endpoint), endpoint })))(
    '$name leaves one audit record: who, what, of what, before and after, from where',
    async ({ endpoint }: { name: string; endpoint: Endpoint }) => {
      const administrator = await family.person(roleFor(endpoint.auth)!);
      const arranged = await arrangedFor(family, endpoint, administrator);
      const wrong = makes(endpoint) ? { body: {} } : { ...arranged, params: {} };
      if (!takesNothing(endpoint)) {
        const refused = await sendArranged(family, endpoint, administrator, wrong);
        const refusal = wrongStatus(endpoint);
        expect([refused.status, await recordsOf(administrator.user.id)]).toEqual([refusal, []]);
      }

      const { status, text } = await sendArranged(family, endpoint, administrator, arranged);
      expect(endpoint.success).toContain(status);
      const [record, ...more] = await eventually(async () => {
        const found = await recordsOf(administrator.user.id);
        expect(found).not.toEqual([]);
        return found;
      });
      expect(more).toEqual([]);
      expect(record).toMatchObject({
        actorId: administrator.user.id,
        clientAddress: expect.stringMatching(/127\.0\.0\.1|::1/) as string,
      });
      expect(actionsOn(record!.entityType)).toContain(record!.action);
      const { entityId, previous, next } = record!;
      if (makes(endpoint)) expect(text).toContain(entityId);
      else expect(filled(endpoint.path, arranged.params)).toContain(encodeURIComponent(entityId));
      expect(next).not.toBeNull();
      const begins = BEGINS.includes(endpoint.id) || (makes(endpoint) && !isNamedInBody(endpoint));
      expect(previous === null).toBe(begins);
    },
  );

  test('and the chain holds through all of it', async () => {
    expect(await verifyAuditChain(family.world.db)).toMatchObject({ valid: true, brokenAt: null });
  });
});

describe('foreign ids', () => {
  let mallory: Person;
  beforeAll(async () => {
    mallory = await family.person();
    // Pages of partners are refused to others before anything is looked up.
    await make.partner(family.world.db, { userId: mallory.user.id });
  });

  const withId = endpoints.filter(({ path }) => path.includes(':'));
  const isAdministration = ({ auth }: Endpoint): boolean => auth === 'admin' || auth === 'super-admin';
  const namedBy = (endpoint: Endpoint) =>
    Object.values(shapeOf(endpoint.params)).flatMap((field) => identifiedBy(field)?.resource ?? []);
  /** One that names nobody's things, or only a month or a company that sends reports. */
  const own = withId.filter(
    (endpoint) => !isAdministration(endpoint) && !namedBy(endpoint).every((named) => named in OPEN_TO_ALL),
  );

  const said = ({ status, body }: Response) => ({ status, body: body as object });
  const withRandomId = (arranged: Arranged): Arranged => ({
    ...arranged,
    params: Object.fromEntries(Object.keys(arranged.params ?? {}).map((name) => [name, randomUUID()])),
  });

  test('what has no owner is named only by endpoints for which that has a reason', () => {
    const named = new Set(withId.filter((endpoint) => !isAdministration(endpoint)).flatMap(namedBy));
    expect(Object.keys(OPEN_TO_ALL).filter((resource) => !named.has(resource as never))).toEqual([]);
    expect(own.length).toBeGreaterThan(15);
  });

  describe('API1: another person’s id is answered like an unknown id', () => {
    test.each(own.map((endpoint) => ({ name: routeOf(endpoint), endpoint })))(
      '$name',
      async ({ endpoint }) => {
        const ada = await family.person();
        const hers = await arrangedFor(family, endpoint, ada);
        const foreign = await sendArranged(family, endpoint, mallory, hers);
        const random = await sendArranged(family, endpoint, mallory, withRandomId(hers));
        expect(foreign.status).toBe(404);
        expect(said(foreign)).toEqual(said(random));
        // It is there and unchanged: its owner's same request succeeds.
        const { status } = await sendArranged(family, endpoint, ada, hers);
        expect(endpoint.success).toContain(status);
      },
    );
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
});

describe('strict answers', () => {
  const answers = new Map<string, Response>();
  beforeAll(async () => {
    for (const endpoint of endpoints) {
      const person = await family.person(roleFor(endpoint.auth) ?? 'USER');
      answers.set(routeOf(endpoint), await send(family, endpoint, person));
    }
  });

  const each = endpoints.map((endpoint) => ({ name: routeOf(endpoint), endpoint }));
  const arranged = each.filter(({ endpoint }) => !(endpoint.id in notArranged));

  test('every exception names an existing operation, and there are few', () => {
    const ids = endpoints.map(({ id }) => id);
    const exceptions = [arrangements, notArranged, MAY_SHOW].flatMap((list) => Object.keys(list));
    expect(exceptions.filter((id) => !ids.includes(id))).toEqual([]);
    expect(Object.keys(arrangements).length).toBeLessThanOrEqual(15);
  });

  test.each(arranged.filter(({ endpoint }) => endpoint.produces))(
    '$name answers a file of its type',
    ({ name, endpoint }) => {
      const { status, headers, text } = answers.get(name)!;
      expect(endpoint.success).toContain(status);
      // Excel knows UTF-8 by its byte order mark.
      const isMarked = (text as string | undefined)?.startsWith('\uFEFF') ?? false;
      expect(isMarked).toBe(endpoint.produces === 'text/csv');
      expect([endpoint.produces!].flat().map(contentTypeOf)).toContain(headers['content-type']);
      expect(headers['content-disposition']).toMatch(/^(attachment|inline); filename=/);
    },
  );

  test.each(arranged.filter(({ endpoint }) => !endpoint.produces))(
    '$name succeeds and answers what is documented and nothing else',
    ({ name, endpoint }) => {
      const { status, body } = answers.get(name)!;
      expect({ status: endpoint.success.includes(status as 200), error: body.error }).toEqual({
        status: true,
        error: undefined,
      });
      expect(endpoint.data.safeParse(body.data).error?.issues).toBeUndefined();
      expect(undocumented(endpoint.data, body.data)).toEqual([]);
      expect(Object.keys(body).sort()).toEqual(
        endpoint.paginated ? ['data', 'meta', 'success'] : ['data', 'success'],
      );
    },
  );

  /** Operations that answer a field of such a name on purpose, by id. */
  const MAY_SHOW: Readonly<Record<string, RegExp>> = {
    login: /^(accessToken|refreshToken|tokenType|tempToken)$/,
    refreshTokens: /^(accessToken|refreshToken|tokenType)$/,
    setUpTwoFactor: /^secret$/,
    enableTwoFactor: /^backupCodes$/,
    // Which secrets there are, without what they are; a new one once.
    listInvestmentProviders: /^secrets$/,
    getInvestmentProvider: /^secrets$/,
    updateInvestmentProvider: /^secrets$/,
    createInvestmentProvider: /^(secrets|webhookSecret)$/,
    rotateInvestmentProviderSecret: /^(secret|webhookSecret)$/,
  };
  const SECRET_NAME = /password(?!Changed)|hash|secret|token|sealed|backup.?code/i;
  /** The audit trail's chain is answered so that it can be verified; it holds no secrets. */
  const isPublic = (name: string, endpoint: Endpoint) =>
    name === 'hash' && endpoint.path === '/admin/audit-logs';

  test('API3: no answer has a field called like a secret except where it is the purpose', () => {
    const shown = each.flatMap(({ name, endpoint }) =>
      fieldsIn(answers.get(name)!.body)
        .filter(
          (field) =>
            SECRET_NAME.test(field) && !isPublic(field, endpoint) && !MAY_SHOW[endpoint.id]?.test(field),
        )
        .map((field) => `${name}: ${field}`),
    );
    expect(shown).toEqual([]);
  });

  test('API3: no answer holds a hash or a sealed secret that the database keeps', async () => {
    const kept = await rows<{ value: string }>(
      family.world.db,
      `SELECT password_hash AS value FROM users WHERE password_hash IS NOT NULL
     UNION SELECT token_hash FROM refresh_tokens UNION SELECT code_hash FROM backup_codes`,
    );
    expect(kept.length).toBeGreaterThan(20);
    const text = [...answers.values()].map((answer) => answer.text).join('\n');
    expect(kept.filter(({ value }) => text.includes(value))).toEqual([]);
  });

  function fieldsIn(value: unknown): string[] {
    if (Array.isArray(value)) return value.flatMap(fieldsIn);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsIn(inner)]);
  }
});
