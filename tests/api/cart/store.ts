import type { Response } from 'supertest';
import type { Db } from '../../../db/sql/query';
import type { User } from '../../support/builders/make/people';
import { signIn } from '../../support/builders/sign-in';
import { startWorld, type World } from '../../support/worlds/world';

type Who = Pick<User, 'id' | 'email' | 'password'> | { token: string } | null;
type Ask = (path: string, body?: object) => Promise<Response>;

/** A platform for the calling file, where anyone can ask: `store.as(buyer).post('/cart/items', { … })`. */
export interface Store {
  readonly db: Db;
  /** Signs people in when they first ask; null is somebody without a token. */
  as: (who: Who) => Record<'get' | 'post' | 'patch' | 'delete', Ask>;
}

/** To be called at a file's top level. Carts need no process, so none is served. */
export function ownStore(): Store {
  let world: World | undefined;
  const tokens = new Map<string, Promise<string>>();
  beforeAll(async () => {
    world = await startWorld({ worker: false });
  });
  afterAll(() => world?.teardown());
  const open = (): World => {
    if (!world) throw new Error('The store is open only while tests run.');
    return world;
  };

  const tokenOf = async (who: Exclude<Who, null>): Promise<string> => {
    if ('token' in who) return who.token;
    const token = tokens.get(who.id) ?? signIn(open(), who);
    tokens.set(who.id, token);
    return token;
  };
  const ask =
    (who: Who, method: 'get' | 'post' | 'patch' | 'delete'): Ask =>
    async (path, body) => {
      const token = who && (await tokenOf(who));
      const request = open().http[method](`/api/v1${path}`);
      if (token !== null) void request.set('authorization', `Bearer ${token}`);
      return body ? request.send(body) : request;
    };
  return {
    get db() {
      return open().db;
    },
    as: (who) => ({
      get: ask(who, 'get'),
      post: ask(who, 'post'),
      patch: ask(who, 'patch'),
      delete: ask(who, 'delete'),
    }),
  };
}
