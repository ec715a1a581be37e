import type { Response } from 'supertest';
import { make } from '../../support/builders/make';
import type { User } from '../../support/builders/make/people';
import { signIn } from '../../support/builders/sign-in';
import { startWorld, type World } from '../../support/worlds/world';

type Method = 'get' | 'post' | 'patch' | 'delete' | 'put';

/** A platform with somebody of every role signed in. */
export interface AdminWorld {
  world: World;
  user: User;
  admin: User;
  superAdmin: User;
  tokens: Readonly<Record<'user' | 'admin' | 'superAdmin', string>>;
  /** Asks under /api/v1, as an administrator unless said otherwise; null asks as nobody. */
  ask: (method: Method, path: string, body?: object, token?: string | null) => Promise<Response>;
}

export async function startAdminWorld(options?: Parameters<typeof startWorld>[0]): Promise<AdminWorld> {
  const world = await startWorld(options);
  const [user, admin] = [await make.user(world.db), await make.admin(world.db)];
  const superAdmin = await make.superAdmin(world.db);
  const tokens = {
    user: await signIn(world, user),
    admin: await signIn(world, admin),
    superAdmin: await signIn(world, superAdmin),
  };
  return {
    world,
    user,
    admin,
    superAdmin,
    tokens,
    async ask(method, path, body, token = tokens.admin) {
      const request = world.http[method](`/api/v1${path}`);
      if (token !== null) void request.auth(token, { type: 'bearer' });
      return body === undefined ? request : request.send(body);
    },
  };
}

/** Status and error code of an answer, in one line. */
export const outcomeOf = ({ status, body }: Response): string =>
  status < 400 ? String(status) : `${status} ${(body as { error: { code: string } }).error.code}`;
