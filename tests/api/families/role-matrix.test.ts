import { endpoints } from '../../../api/endpoints';
import type { Endpoint } from '../../../api/http/endpoint';
import { specification } from '../../architecture/specification';
import { make } from '../../support/builders/make';
import { signIn } from '../../support/builders/sign-in';
import { startWorld, type World } from '../../support/worlds/world';
import { filled, nameOf } from './arrangements/family-world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.teardown());

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
      return signIn(world, await make.user(world.db));
    case 'ADMIN':
      return signIn(world, await make.admin(world.db, { roles: ['ADMIN'] }));
    case 'SUPER_ADMIN':
      return signIn(world, await make.superAdmin(world.db, { roles: ['SUPER_ADMIN'] }));
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
  const request = world.http[endpoint.method](`/api/v1${filled(endpoint.path)}`);
  if (token !== null) void request.auth(token, { type: 'bearer' });
  const { status, body } = await request;
  const code = (body as { error?: { code: string } }).error?.code;
  if (code === 'UNAUTHORIZED' || code === 'FORBIDDEN') return String(status) as Expected;
  if (code !== 'PROVIDER_NOT_CONFIGURED') expect(status).toBeLessThan(500);
  return 'let in';
}

describe('API5: each endpoint lets in whom the specification says, and nobody else', () => {
  test.each(endpoints.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))(
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
  expect(open.map(nameOf)).toEqual([]);
});
