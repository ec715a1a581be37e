import request from 'supertest';
import { v7 } from 'uuid';
import { forgetExpired } from '../../../../db/administration/retention/retention.transitions';
import { policyFrom } from '../../../../db/policy/config';
import { execute, rows } from '../../../../db/sql/query';
import { refusal } from '../../../../workflows/errors';
import { ownDatabase } from '../../../support/servers/database';
import { gate } from '../shop';
import { codeOf, next, seen, thingsOf } from '../page-cache/things';

const database = ownDatabase();
const { app, send } = thingsOf(database);

describe('a request whose process died', () => {
  const abandon = async (key: string, age: string) => {
    next.push(() => Promise.reject(new Error('died')));
    await send(key);
    await execute(
      database.db,
      `UPDATE idempotency_keys SET state = 'CLAIMED', claimed_at = now() - $2::interval WHERE key = $1`,
      [key, age],
    );
  };

  it('keeps its key for half a minute', async () => {
    const key = v7();
    await abandon(key, '25 seconds');
    expect(codeOf(await send(key))).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
  });

  it('is then claimed by exactly one of several repetitions, with its ids', async () => {
    const key = v7();
    await abandon(key, '31 seconds');
    const leave = gate();
    next.push(() => leave.passed);
    const server = app();
    const tries = Array.from({ length: 10 }, () =>
      send(key, { amount: 1 }, { server }).then((answer) => answer),
    );
    const refused = await Promise.race(tries);
    expect(codeOf(refused)).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    leave.open();
    const answers = await Promise.all(tries);
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1);
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
  });

  it('no longer changes anything if it was only slow', async () => {
    const key = v7();
    const [arrived, leave] = [gate(), gate()];
    next.push(
      () => (arrived.open(), leave.passed.then(() => Promise.reject(refusal('CART_EMPTY', 'Late.')))),
    );
    const slow = send(key).then((answer) => answer);
    await arrived.passed;
    await execute(
      database.db,
      `UPDATE idempotency_keys SET claimed_at = now() - interval '1 minute' WHERE key = $1`,
      [key],
    );
    const second = await send(key);
    expect(second.status).toBe(201);
    leave.open();
    expect((await slow).status).toBe(400);
    expect((await send(key)).text).toBe(second.text);
  });
});

describe('a key', () => {
  it('is forgotten after 24 hours, ids and all', async () => {
    const key = v7();
    const first = await send(key);
    await execute(
      database.db,
      `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = $1`,
      [key],
    );
    const later = await send(key, { amount: 5 });
    expect(later.status).toBe(201);
    expect(later.body.data.thing).not.toBe(first.body.data.thing);
    // Processes must not know the second request by the update id of the first.
    expect(seen[1]?.idempotencyId).not.toBe(seen[0]?.idempotencyId);
    expect((await send(key, { amount: 5 })).headers['idempotent-replayed']).toBe('true');
  });

  it('is deleted with others of its age, and only with them', async () => {
    const [old, young] = [v7(), v7()];
    await send(old);
    await send(young);
    await execute(
      database.db,
      `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = $1`,
      [old],
    );
    const { idempotencyKeys } = await forgetExpired(database.db, new Date(), policyFrom({}));
    expect(idempotencyKeys).toBe(1);
    const left = await rows<{ key: string }>(database.db, 'SELECT key FROM idempotency_keys');
    expect(left.map(({ key }) => key)).toContain(young);
    expect(left.map(({ key }) => key)).not.toContain(old);
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['not ASCII', 'schl\u00fcssel'],
  ])('must not be %s', async (_what, key) => {
    const answer = await send(key);
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(answer.body.error.details)).toEqual(['Idempotency-Key']);
  });

  it('may have 255 characters', async () => {
    expect((await send('x'.repeat(255))).status).toBe(201);
  });

  it('is ignored if the contract says so; requests without a key are not deduplicated', async () => {
    const ask = (path: string) => request(app()).post(path).set('Idempotency-Key', 'k').send({});
    expect((await ask('/api/v1/careless')).body.data.id).not.toBe(
      (await ask('/api/v1/careless')).body.data.id,
    );
    const [one, two] = [await send(null), await send(null)];
    expect(one.body.data.thing).not.toBe(two.body.data.thing);
    expect(seen[0]?.idempotencyId).not.toBe(seen[1]?.idempotencyId);
  });

  it('is stored for at most 500 requests of one network without an account', async () => {
    const server = app();
    const { db } = database;
    const ask = (key: string) =>
      request(server).post('/api/v1/anonymous').set('Idempotency-Key', key).send({});
    await ask('seen-once');
    await execute(
      db,
      `INSERT INTO idempotency_keys (owner, route, key, body_hash, state, status, body, claimed_at, created_at)
       SELECT owner, route, 'old-' || n, body_hash, 'DONE', 200, '"{}"', now(), now() - make_interval(mins => n)
       FROM idempotency_keys, generate_series(1, 600) n WHERE key = 'seen-once'`,
    );
    await ask('seen-twice');
    const [left] = await rows<{ count: number }>(
      db,
      `SELECT count(*)::int AS count FROM idempotency_keys WHERE owner LIKE 'address:%'`,
    );
    expect(left!.count).toBeLessThanOrEqual(501);
    expect((await ask('seen-once')).headers['idempotent-replayed']).toBe('true');
  });

  it('belongs to the network of a caller without an account', async () => {
    const ask = () => request(app()).post('/api/v1/anonymous').set('Idempotency-Key', 'same').send({});
    const [first, again] = [await ask(), await ask()];
    expect(again.text).toBe(first.text);
  });
});
