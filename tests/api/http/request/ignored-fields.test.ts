import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { generalLimit } from '../../../../api/http/limits/limits';
import { digits } from '../../../../api/http/request/fields';
import { ownDatabase } from '../../../support/servers/database';
import { serverOf } from '../shop';
import { unnamed } from '../unnamed';

const database = ownDatabase();

describe('meta.ignored', () => {
  const echo = endpoint({
    ...unnamed,
    limit: generalLimit,
    success: 200,
    errors: {},
    method: 'post',
    path: '/echo',
    auth: 'public',
    query: z.object({ times: digits({ max: 3 }).optional() }),
    body: z.object({
      name: z.string().optional(),
      items: z.array(z.object({ quantity: z.number() })).optional(),
      tags: z.record(z.string(), z.string()).optional(),
      choice: z
        .union([z.object({ a: z.number() }), z.object({ b: z.number() }).transform((it) => it)])
        .nullish(),
    }),
    data: z.object({}),
    handle: () => Promise.resolve({}),
  });
  const server = () => serverOf({ db: database.db, endpoints: [echo] });

  it.each<[string, string, object, string[] | undefined]>([
    ['nothing unknown', '?times=2', { name: 'Ann', tags: { any: 'thing' } }, undefined],
    ['a name within a list', '', { items: [{ quantity: 1 }, { quantity: 2, qty: 3 }] }, ['items.1.qty']],
    ['a name within a pipe and an alternative', '', { choice: { b: 1, c: 2 } }, ['choice.c']],
    ['a name of every object', '', { toString: 1, constructor: 2 }, ['toString', 'constructor']],
    ['the parameters of a partner’s link', '?ref=ADA&utm_source=mail&source=mail', {}, ['source']],
    ['the same name twice', '?other=1', { other: 1 }, ['other']],
    ['a very long name', '', { ['x'.repeat(200)]: 1 }, ['x'.repeat(100)]],
    ['a very long name of wide characters', '', { ['x' + '🦉'.repeat(200)]: 1 }, ['x' + '🦉'.repeat(99)]],
    [
      'more names than anybody reads',
      '',
      Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`n${n}`, 1])),
      Array.from({ length: 20 }, (_, n) => `n${n}`),
    ],
  ])('names what it did not understand: %s', async (_what, query, sent, ignored) => {
    const { status, body } = await request(server()).post(`/api/v1/echo${query}`).send(sent);
    expect([status, body.meta?.ignored]).toEqual([200, ignored]);
  });
});
