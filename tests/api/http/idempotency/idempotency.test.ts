import request from 'supertest';
import { v7 } from 'uuid';
import { refusal } from '../../../../workflows/errors';
import { ownDatabase } from '../../../support/servers/database';
import { gate } from '../shop';
import { codeOf, next, seen, thingsOf } from '../page-cache/things';

const database = ownDatabase();
const { app, send } = thingsOf(database);

describe('a request that is repeated under its Idempotency-Key', () => {
  it('is done once and answered the same, byte for byte', async () => {
    const key = v7();
    const first = await send(key, { amount: 2 });
    const again = await send(key, { amount: 2 });
    expect(first.status).toBe(202);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(seen).toHaveLength(1);
  });

  it('is refused with 409 while the first is being answered, and answered after', async () => {
    const key = v7();
    const [arrived, leave] = [gate(), gate()];
    next.push(() => (arrived.open(), leave.passed));
    const first = send(key).then((answer) => answer);
    await arrived.passed;
    expect(codeOf(await send(key))).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    leave.open();
    const answer = await first;
    expect(answer.status).toBe(201);
    expect((await send(key)).text).toBe(answer.text);
    expect(seen).toHaveLength(1);
  });

  it('is done once for twenty concurrent requests', async () => {
    const key = v7();
    const server = app();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(key, { amount: 1 }, { server })));
    expect(seen).toHaveLength(1);
    const texts = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
    expect(texts.size).toBe(1);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
  });

  it('is refused with 422 if its body or its path differs', async () => {
    const key = v7();
    await send(key);
    expect(codeOf(await send(key, { amount: 3 }))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(codeOf(await send(key, { amount: 1 }, { thing: 'y' }))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(seen).toHaveLength(1);
  });

  it('is another request when another user sends it', async () => {
    const key = v7();
    const ann = await send(key);
    const bob = await send(key, { amount: 1 }, { user: 'bob' });
    expect(bob.status).toBe(201);
    expect(bob.body.data.thing).not.toBe(ann.body.data.thing);
    expect(seen[0]?.idempotencyId).not.toBe(seen[1]?.idempotencyId);
  });

  it('gets the same refusal again', async () => {
    const key = v7();
    next.push(() => Promise.reject(refusal('CART_EMPTY', 'Nothing there.')));
    const first = await send(key);
    expect(codeOf(first)).toEqual([400, 'CART_EMPTY']);
    const again = await send(key);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(seen).toHaveLength(1);
  });

  it('is done again, with the same ids, after a 500', async () => {
    const key = v7();
    next.push(() => Promise.reject(new Error('broken')));
    expect((await send(key)).status).toBe(500);
    const again = await send(key);
    expect(again.status).toBe(201);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
    expect((await send(key)).text).toBe(again.text);
  });

  it('may be corrected under the same key after a failed validation', async () => {
    const key = v7();
    expect((await send(key, { amount: 'much' })).status).toBe(400);
    expect((await send(key)).status).toBe(201);
  });

  it('is not counted against the limit', async () => {
    const server = app({ RATE_LIMIT_SCALE: '1' });
    const ask = (key: string) =>
      request(server)
        .post('/api/v1/dear')
        .set('Authorization', 'Bearer dora')
        .set('Idempotency-Key', key)
        .send({});
    for (const key of ['1', '2', '1', '2', '1']) expect((await ask(key)).status).toBe(200);
    expect((await ask('3')).status).toBe(429);
    expect((await ask('2')).status).toBe(200);
  });
});
