import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { financialPerMinute, generalLimit } from '../../../../api/http/limits/limits';
import type { Db } from '../../../../db/sql/query';
import { serverOf } from '../shop';
import { unnamed } from '../unnamed';

/** The behaviour of the handler's next calls, and the requests that it saw. */
export const next: ((id: string) => Promise<unknown>)[] = [];
export const seen: { id: string; idempotencyId: string }[] = [];
beforeEach(() => {
  next.length = 0;
  seen.length = 0;
});

const place = endpoint({
  method: 'post',
  path: '/things/:id/place',
  ...unnamed,
  auth: 'user',
  limit: generalLimit,
  params: z.object({ id: z.string() }),
  body: z.object({ amount: z.number() }),
  success: [201, 202],
  data: z.object({ thing: z.string(), zebra: z.number(), apple: z.number() }),
  errors: { CART_EMPTY: 400 },
  async handle({ body }, { mint, reply, request: { idempotencyId } }) {
    const { thing: id } = await mint('thing');
    seen.push({ id, idempotencyId });
    await next.shift()?.(id);
    if (body.amount === 2) reply.status(202);
    return { thing: id, zebra: 1, apple: body.amount };
  },
});
const anonymous = endpoint({
  ...{
    method: 'post',
    path: '/anonymous',
    ...unnamed,
    auth: 'public',
    limit: generalLimit,
  },
  success: 201,
  data: z.object({ id: z.string() }),
  errors: {},
  handle: async (_input, { mint }) => ({ id: (await mint('it')).it }),
});
const unkeyed = endpoint({
  ...{
    method: 'post',
    path: '/careless',
    ...unnamed,
    auth: 'public',
    limit: generalLimit,
  },
  idempotent: false,
  success: 200,
  data: z.object({ id: z.string() }),
  errors: {},
  handle: async (_input, { mint }) => ({ id: (await mint('it')).it }),
});
const financial = endpoint({
  ...{
    method: 'post',
    path: '/dear',
    ...unnamed,
    auth: 'user',
    limit: financialPerMinute(2),
  },
  success: 200,
  data: z.object({ id: z.string() }),
  errors: {},
  handle: async (_input, { mint }) => ({ id: (await mint('it')).it }),
});
const endpoints = [place, anonymous, unkeyed, financial];

/** A server whose POSTs create things, and a client for it. */
export function thingsOf(database: { db: Db }) {
  const app = (settings: Record<string, string> = {}) => serverOf({ db: database.db, endpoints, settings });
  const send = (
    key: string | null,
    body: object = { amount: 1 },
    { user = 'ann', thing = 'x', server = app() } = {},
  ) => {
    const call = request(server).post(`/api/v1/things/${thing}/place`).set('Authorization', `Bearer ${user}`);
    if (key !== null) void call.set('Idempotency-Key', key);
    return call.send(body);
  };
  return { app, send };
}

export const codeOf = (answer: { status: number; body: { error: { code: string } } }) => [
  answer.status,
  answer.body.error.code,
];
