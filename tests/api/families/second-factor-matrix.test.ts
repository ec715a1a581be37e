import { endpoints } from '../../../api/endpoints';
import type { Endpoint } from '../../../api/http/endpoint';
import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import type { User } from '../../support/builders/make/people';
import { signIn } from '../../support/builders/sign-in';
import { ownWorld } from '../../support/worlds/world';
import { specification } from '../../architecture/specification';
import { sharedErrors } from '../../architecture/specification/row';
import { filled } from './arrangements/family-world';
import { routeOf } from '../../../api/docs/path';

type Who = 'ADMIN' | 'SUPER_ADMIN' | 'USER';

const tokens: Partial<Record<Who, string>> = {};
const world = ownWorld({ worker: false, variables: { ADMIN_SECOND_FACTOR: 'required' } });
beforeAll(async () => {
  for (const role of ['ADMIN', 'SUPER_ADMIN', 'USER'] as const) {
    const user = await make.user(world.db, { roles: [role] });
    tokens[role] = await signIn(world, user);
  }
});

/** Parameters may be named differently in the code. */
const key = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.replace(/:\w+/g, ':')}`;
/** The endpoints that the specification opens to an administrator without a second factor. */
const setUp = new Set(
  specification.filter((row) => !('TWO_FACTOR_SETUP_REQUIRED' in sharedErrors(row))).map(key),
);

const signedIn = endpoints.filter(({ auth }) => auth !== 'public' && auth !== 'optional');
const isForSetUp = (endpoint: Endpoint): boolean => setUp.has(key(endpoint));
const closed = signedIn.filter((endpoint) => !isForSetUp(endpoint));
const named = (some: readonly Endpoint[]) => some.map((endpoint) => ({ name: routeOf(endpoint), endpoint }));

async function call({ method, path }: Endpoint, token: string): Promise<string> {
  const { status, body } = await world.http[method](`/api/v1${filled(path)}`).auth(token, { type: 'bearer' });
  return `${status} ${(body as { error?: { code: string } }).error?.code ?? 'done'}`;
}

const REFUSED = '403 TWO_FACTOR_SETUP_REQUIRED';

test('few are open during the set-up', () => {
  expect(signedIn.length - closed.length).toBe(8);
});

test.each(named(closed))(
  '$name is closed to an administrator without a second factor',
  async ({ endpoint }) => {
    const { auth } = endpoint;
    expect(await call(endpoint, tokens.SUPER_ADMIN!)).toBe(REFUSED);
    expect(await call(endpoint, tokens.ADMIN!)).toBe(auth === 'super-admin' ? '403 FORBIDDEN' : REFUSED);
  },
);

test.each(named(closed.filter(({ auth, method }) => auth === 'user' && method === 'get')))(
  '$name asks nobody else for one',
  async ({ endpoint }) => {
    expect(await call(endpoint, tokens.USER!)).not.toBe(REFUSED);
  },
);

test.each(named(signedIn.filter(isForSetUp)))('$name is open during the set-up', async ({ endpoint }) => {
  const admin = await make.admin(world.db);
  expect(await call(endpoint, await signIn(world, admin))).not.toBe(REFUSED);
});

describe('an administrator with a second factor', () => {
  test.each(named(closed.filter(({ auth, method }) => auth !== 'user' && method === 'get')))(
    'is let in by $name',
    async ({ endpoint }) => {
      expect(await call(endpoint, await guarded(['SUPER_ADMIN']))).not.toMatch(/^40[13]/);
    },
  );

  test('is let in with the very request after it is on, and no longer after it is off', async () => {
    const admin = await make.admin(world.db);
    const token = await signIn(world, admin);
    const list = endpoints.find(({ id }) => id === 'listUsers')!;
    expect(await call(list, token)).toBe(REFUSED);
    await execute(
      world.db,
      `INSERT INTO second_factors (user_id, method, secret_sealed, created_at) VALUES ($1, 'TOTP', 'x', now())`,
      [admin.id],
    );
    expect(await call(list, token)).toBe(REFUSED);
    await execute(world.db, 'UPDATE second_factors SET enabled_at = now() WHERE user_id = $1', [admin.id]);
    expect(await call(list, token)).toBe('200 done');
    await execute(world.db, 'DELETE FROM second_factors WHERE user_id = $1', [admin.id]);
    expect(await call(list, token)).toBe(REFUSED);
  });
});

let kept: string | undefined;
/** The token of a user with a second factor, the same for all tests. */
async function guarded(roles: User['roles']): Promise<string> {
  if (kept !== undefined) return kept;
  const user = await make.user(world.db, { roles });
  kept = await signIn(world, user);
  await make.secondFactor(world.db, user.id);
  await execute(
    world.db,
    `UPDATE second_factors SET method = 'TOTP', secret_sealed = 'x' WHERE user_id = $1`,
    [user.id],
  );
  return kept;
}
