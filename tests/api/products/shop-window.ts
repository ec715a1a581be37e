import supertest, { type Response } from 'supertest';
import { categoryEndpoints } from '../../../api/categories';
import { productEndpoints } from '../../../api/products';
import type { Db } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';
import { serverOf } from '../http/shop';

type Query = Record<string, string | number | boolean>;

/** The catalogue's endpoints over a database of the calling file. */
export interface ShopWindow {
  readonly db: Db;
  readonly owner: Db;
  /** Sends a request as a visitor, under /api/v1. */
  get: (path: string, query?: Query) => Promise<Response>;
  /** Sends a request with a token. */
  getAs: (token: string, path: string, query?: Query) => Promise<Response>;
  /** The names on one page of the list, in its order. */
  names: (query?: Query) => Promise<string[]>;
}

/** To be called at a file's top level. */
export function ownShopWindow(): ShopWindow {
  const database = ownDatabase();
  let app: ReturnType<typeof serverOf> | undefined;
  const open = () =>
    (app ??= serverOf({ db: database.db, endpoints: [...productEndpoints, ...categoryEndpoints] }));
  const get: ShopWindow['get'] = async (path, query = {}) =>
    supertest(open()).get(`/api/v1${path}`).query(query);
  return {
    get owner() {
      return database.owner;
    },
    get db() {
      return database.db;
    },
    get,
    getAs: async (token, path, query = {}) =>
      supertest(open()).get(`/api/v1${path}`).query(query).set('authorization', `Bearer ${token}`),
    async names(query) {
      const { status, body } = await get('/products', query);
      expect(status).toBe(200);
      return body.data.products.map(({ name }: { name: string }) => name);
    },
  };
}
