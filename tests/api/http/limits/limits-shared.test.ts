import request from 'supertest';
import { connect } from '../../../../db/sql/connection';
import { rows } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { ask, by, endpoints, from, limitedApp } from './limited';
import { serverOf } from '../shop';

const database = ownDatabase();
const app = limitedApp(database);

describe('limits that guard secrets and money', () => {
  it('are counted by all processes together', async () => {
    const [one, two] = [app(), app()];
    expect(await ask(one, '/guess', 2)).toEqual([200, 200]);
    expect(await ask(two, '/guess', 2)).toEqual([200, 429]);
    expect(await ask(one, '/guess', 1)).toEqual([429]);
    expect(await ask(one, '/money', 2, by('m1'))).toEqual([200, 200]);
    expect(await ask(two, '/money', 2, by('m1'))).toEqual([200, 429]);
    expect(await ask(two, '/money', 1, by('m2'))).toEqual([200]);
  });

  it('name their policy when money is moved', async () => {
    const answer = await request(app()).get('/api/v1/money').set(by('m3'));
    expect(answer.headers['x-ratelimit-policy']).toBe('financial');
    expect(answer.headers['x-ratelimit-limit']).toBe('3');
  });

  it('are per network, so that more accounts give no more guesses', async () => {
    const server = app({ TRUST_PROXY: '1' });
    const guess = (user: string) => ask(server, '/guess', 1, { ...by(user), ...from('192.0.2.77') });
    expect([await guess('g1'), await guess('g2'), await guess('g3'), await guess('g4')].flat()).toEqual([
      200, 200, 200, 429,
    ]);
  });

  it('store neither address nor user readably', async () => {
    const keys = await rows<{ key: string }>(database.db, 'SELECT key FROM rate_limits');
    expect(keys.length).toBeGreaterThan(0);
    for (const { key } of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('refuse financial requests, and count others in the process, while the database is unavailable', async () => {
    const away = connect({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' });
    const server = serverOf({ db: away, endpoints, settings: { RATE_LIMIT_SCALE: '1' } });
    const money = await request(server).get('/api/v1/money').set(by('m4'));
    expect([money.status, money.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(money.headers['retry-after']).toMatch(/^\d+$/);
    expect(await ask(server, '/guess', 4)).toEqual([200, 200, 200, 429]);
    await away.sequelize.close();
  });
});

describe('a client', () => {
  it('cannot get more counts by inventing addresses', async () => {
    const server = app();
    const outcomes = new Map<number, number>();
    for (let i = 0; i < 1000; i++) {
      const forged = `198.51.${i >> 8}.${i & 255}`;
      const { status } = await request(server).get('/api/v1/few').set(from(forged));
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    }
    expect(outcomes.get(200)).toBe(3);
    expect(outcomes.get(429)).toBe(997);
  });

  it('cannot by sending them to a trusted proxy either, which adds the true one', async () => {
    const server = app({ TRUST_PROXY: '1' });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++)
      statuses.push(...(await ask(server, '/few', 1, from(`198.51.100.${i}, 192.0.2.9`))));
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(await ask(server, '/few', 1, from('192.0.2.10'))).toEqual([200]);
  });

  it('is an IPv6 /64, or an IPv4 address in any spelling', async () => {
    const server = app({ TRUST_PROXY: 'loopback' });
    const six = ['2001:db8:0:7::1', '2001:db8:0:7:ffff::2', '2001:0DB8:0000:0007:1:2:3:4', '2001:db8:0:7::'];
    const four = ['192.0.2.20', '::ffff:192.0.2.20', '::FFFF:192.0.2.20', '192.0.2.20'];
    for (const addresses of [six, four]) {
      const statuses: number[] = [];
      for (const address of addresses) statuses.push(...(await ask(server, '/few', 1, from(address))));
      expect(statuses).toEqual([200, 200, 200, 429]);
    }
    expect(await ask(server, '/few', 1, from('2001:db8:0:8::1'))).toEqual([200]);
  });
});
