import supertest, { type Response } from 'supertest';
import { investmentEndpoints } from '../../../api/investment';
import type { Db } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';
import { serverOf } from '../http/shop';

type Query = Record<string, string | number>;

/** The investment area's endpoints over a database of the calling file. */
export interface StrategyWindow {
  readonly db: Db;
  readonly owner: Db;
  /** Sends a request as a visitor, under /api/v1/investment. */
  get: (path: string, query?: Query, token?: string) => Promise<Response>;
  /** The names on one page of the list, in its order. */
  names: (query?: Query) => Promise<string[]>;
}

/** To be called at a file's top level. */
export function ownStrategyWindow(): StrategyWindow {
  const database = ownDatabase();
  let app: ReturnType<typeof serverOf> | undefined;
  const get: StrategyWindow['get'] = async (path, query = {}, token) => {
    app ??= serverOf({ db: database.db, endpoints: investmentEndpoints });
    const request = supertest(app).get(`/api/v1/investment${path}`).query(query);
    return token === undefined ? request : request.set('authorization', `Bearer ${token}`);
  };
  return {
    get db() {
      return database.db;
    },
    get owner() {
      return database.owner;
    },
    get,
    async names(query) {
      const { status, body } = await get('/strategies', query);
      expect(status).toBe(200);
      return body.data.strategies.map(({ name }: { name: string }) => name);
    },
  };
}
