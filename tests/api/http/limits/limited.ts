import request from 'supertest';
import { z } from 'zod';
import { endpoint, type Endpoint } from '../../../../api/http/endpoint';
import type { Auth } from '../../../../api/http/handler-context';
import {
  authPerMinute,
  financialPerMinute,
  generalLimit,
  perMinute,
  type Limit,
} from '../../../../api/http/limits/limits';
import type { Db } from '../../../../db/sql/query';
import { serverOf } from '../shop';
import { unnamed } from '../unnamed';

const limited = (path: string, limit: Limit, auth: Auth = 'public'): Endpoint =>
  endpoint({
    ...{
      method: 'get',
      path,
      auth,
      limit,
      ...unnamed,
      success: 200,
      errors: {},
    },
    data: z.object({}),
    handle: () => Promise.resolve({}),
  });
export const endpoints = [
  limited('/few', perMinute(3)),
  limited('/other', perMinute(3)),
  limited('/general', generalLimit),
  limited('/general-too', generalLimit),
  limited('/guess', authPerMinute(3)),
  limited('/money', financialPerMinute(3), 'user'),
  limited('/maybe', perMinute(3), 'optional'),
];
/** Servers of those endpoints with their true limits. */
export const limitedApp =
  (database: { db: Db }) =>
  (settings: Record<string, string> = {}) =>
    serverOf({ db: database.db, endpoints, settings: { RATE_LIMIT_SCALE: '1', ...settings } });
type App = ReturnType<typeof serverOf>;

/** Sends requests one after the other and answers their statuses. */
export async function ask(
  server: App,
  path: string,
  times: number,
  headers: Record<string, string> = {},
): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++)
    statuses.push((await request(server).get(`/api/v1${path}`).set(headers)).status);
  return statuses;
}
export const by = (user: string) => ({ Authorization: `Bearer ${user}` });
export const from = (address: string) => ({ 'X-Forwarded-For': address });
