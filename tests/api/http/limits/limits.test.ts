import { setTimeout as pause } from 'node:timers/promises';
import { Router } from 'express';
import request from 'supertest';
import { cores, heavySlots } from '../../../../api/http/limits/cores';
import { Busy, Gate } from '../../../../api/http/limits/gate';
import { retryOptions } from '../../../../api/http/temporal/temporal-connection';
import { connect } from '../../../../db/sql/connection';
import { rows } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { gate as held, serverOf } from '../shop';
import { ask, by, endpoints, from, limitedApp } from './limited';

describe('limits of one process', () => {
  const app = limitedApp(ownDatabase());

  describe('a limit', () => {
    it('admits its number of requests with headers, and refuses the next one in both documented forms', async () => {
      const server = app();
      const first = await request(server).get('/api/v1/few');
      const now = Math.floor(Date.now() / 1000);
      expect(first.headers['x-ratelimit-limit']).toBe('3');
      expect(first.headers['x-ratelimit-remaining']).toBe('2');
      expect(first.headers['x-ratelimit-reset']).toMatch(/^\d+$/);
      expect(Number(first.headers['x-ratelimit-reset']) - now).toBeGreaterThanOrEqual(59);
      expect(Number(first.headers['x-ratelimit-reset']) - now).toBeLessThanOrEqual(62);
      expect(first.headers['x-ratelimit-policy']).toBeUndefined();
      expect(await ask(server, '/few', 2)).toEqual([200, 200]);
      const refused = await request(server).get('/api/v1/few');
      const retryAfter = Number(refused.headers['retry-after']);
      expect(retryAfter).toBeGreaterThan(55);
      expect(retryAfter).toBeLessThanOrEqual(60);
      expect(refused.status).toBe(429);
      expect(refused.headers['x-ratelimit-remaining']).toBe('0');
      expect(refused.body).toEqual({
        success: false,
        error: {
          code: 'RATE_LIMIT_EXCEEDED',
          message: `Too many requests. Try again in ${retryAfter} seconds.`,
        },
        statusCode: 429,
        message: 'Too Many Requests',
        retryAfter,
      });
    });

    it('counts per endpoint', async () => {
      const server = app();
      expect(await ask(server, '/few', 4)).toEqual([200, 200, 200, 429]);
      expect(await ask(server, '/other', 1)).toEqual([200]);
    });

    it('is multiplied by RATE_LIMIT_SCALE', async () => {
      const answer = await request(app({ RATE_LIMIT_SCALE: '2.5' })).get('/api/v1/few');
      expect(answer.headers['x-ratelimit-limit']).toBe('7');
      const least = await request(app({ RATE_LIMIT_SCALE: '0.01' })).get('/api/v1/few');
      expect(least.headers['x-ratelimit-limit']).toBe('1');
    });

    it('counts users with a valid token by user, and others by network', async () => {
      const server = app();
      expect(await ask(server, '/maybe', 4, by('u1'))).toEqual([200, 200, 200, 429]);
      expect(await ask(server, '/maybe', 1, by('u2'))).toEqual([200]);
      expect(await ask(server, '/maybe', 2)).toEqual([200, 200]);
      expect(await ask(server, '/maybe', 1, by('bad1'))).toEqual([200]);
      expect(await ask(server, '/maybe', 1, by('bad2'))).toEqual([429]);
    });
  });

  describe('the tiers', () => {
    it('limit every client to 10 requests a second in all, with headers', async () => {
      const server = app();
      const paths = ['/few', '/other', '/nothing', '/general', '/money'];
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => request(server).get(`/api/v1${paths[i % 5]}`)),
      );
      const burst = answers.filter(({ headers }) => headers['x-ratelimit-limit'] === '10');
      expect(burst.length).toBeGreaterThanOrEqual(10);
      expect(burst.every(({ status, body }) => status === 429 && body.retryAfter === 1)).toBe(true);
    });

    it('limit endpoints without a stated limit to 100 requests a minute each', async () => {
      const server = app();
      const first = await request(server).get('/api/v1/general').set(by('gus'));
      expect(first.headers['x-ratelimit-limit']).toBe('100');
      expect(first.headers['x-ratelimit-remaining']).toBe('99');
    });

    it('limit all of them together to 1000 an hour, except those with a stated limit', async () => {
      // At this scale: one request a second, 5 a minute, 50 an hour. Each request comes a minute after the one before.
      const server = app({ RATE_LIMIT_SCALE: '0.05' });
      const begun = Date.now();
      let minutes = 0;
      const now = jest.spyOn(Date, 'now').mockImplementation(() => begun + minutes * 61_000);
      const get = (path: string) => {
        minutes++;
        return request(server).get(`/api/v1${path}`).set(by('hal'));
      };
      try {
        for (let i = 0; i < 50; i++)
          expect((await get(i % 2 === 0 ? '/general' : '/general-too')).status).toBe(200);
        const refused = await get('/general');
        expect([refused.status, refused.headers['x-ratelimit-limit']]).toEqual([429, '50']);
        expect((await get('/maybe')).status).toBe(200);
      } finally {
        now.mockRestore();
      }
    });
  });
});

describe('limits of all processes', () => {
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
      const six = [
        '2001:db8:0:7::1',
        '2001:db8:0:7:ffff::2',
        '2001:0DB8:0000:0007:1:2:3:4',
        '2001:db8:0:7::',
      ];
      const four = ['192.0.2.20', '::ffff:192.0.2.20', '::FFFF:192.0.2.20', '192.0.2.20'];
      for (const addresses of [six, four]) {
        const statuses: number[] = [];
        for (const address of addresses) statuses.push(...(await ask(server, '/few', 1, from(address))));
        expect(statuses).toEqual([200, 200, 200, 429]);
      }
      expect(await ask(server, '/few', 1, from('2001:db8:0:8::1'))).toEqual([200]);
    });
  });
});

describe('bursts', () => {
  const database = ownDatabase();
  let reached = 0;
  const page = Router().use((_req, res) => {
    reached++;
    res.send('here');
  });
  const server = () =>
    serverOf({
      db: database.db,
      endpoints: [],
      extras: [{ path: '/extra', handler: page }],
      settings: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' },
    });
  beforeEach(() => void (reached = 0));

  test('the burst tier also limits what is served in addition to the endpoints', async () => {
    const app = server();
    const ask = (address: string) => request(app).get('/extra/page').set(from(address));
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask('192.0.2.1')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(reached).toBe(60 - refused.length);
    expect(refused.length).toBeGreaterThanOrEqual(20); // A new second may begin meanwhile, and another.
    expect(refused[0]!.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
    expect(refused[0]!.headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-limit': '10' });
    expect((await ask('192.0.2.2')).status).toBe(200);
  });

  test('a token gives no separate count there', async () => {
    const app = server();
    const ask = (user: number) => request(app).get('/extra/page').set('Authorization', `Bearer user-${user}`);
    const answers = await Promise.all(Array.from({ length: 60 }, (_, user) => ask(user)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20);
  });
});

describe('gates', () => {
  const limits = { slots: 2, queueLength: 3, deadlineMs: 60_000 };

  /** Work that runs until it is released. */
  function works(gate: Gate, count: number) {
    const { passed, open } = held();
    let running = 0;
    let most = 0;
    const done = Array.from({ length: count }, () =>
      gate.through(async () => {
        most = Math.max(most, ++running);
        await passed;
        running--;
      }),
    );
    return { done, open, most: () => most };
  }

  describe('a gate', () => {
    test('runs one job per slot, queues some and refuses the rest at once', async () => {
      const { done, open, most } = works(new Gate(limits), 8);
      const outcomes = Promise.allSettled(done);
      await expect(done[5]).rejects.toThrow(Busy);
      open();
      expect((await outcomes).map(({ status }) => status)).toEqual([
        ...Array(5).fill('fulfilled'),
        ...Array(3).fill('rejected'),
      ]);
      expect(most()).toBe(2);
    });

    test('admits in the order of arrival, also after a job failed', async () => {
      const gate = new Gate({ ...limits, slots: 1 });
      const order: number[] = [];
      const results = [1, 2, 3].map((n) =>
        gate.through(async () => {
          order.push(n);
          if (n === 1) throw new Error('broken');
        }),
      );
      expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual([
        'rejected',
        'fulfilled',
        'fulfilled',
      ]);
      expect(order).toEqual([1, 2, 3]);
    });

    test('refuses a job that has waited until the deadline', async () => {
      const gate = new Gate({ slots: 1, queueLength: 1, deadlineMs: 20 });
      const { done, open } = works(gate, 2);
      await expect(done[1]).rejects.toThrow(Busy);
      open();
      await done[0];
      await expect(gate.through(() => Promise.resolve('in'))).resolves.toBe('in');
    });

    test('an abort frees the place in the queue, and the aborted job never starts', async () => {
      const gate = new Gate({ slots: 1, queueLength: 1, deadlineMs: 60_000 });
      const { done, open } = works(gate, 1);
      const client = new AbortController();
      const begun = jest.fn(() => Promise.resolve());
      const dropped = gate.through(begun, client.signal);
      await expect(gate.through(begun)).rejects.toThrow(Busy);
      client.abort();
      await expect(dropped).rejects.toThrow(Busy);
      const next = gate.through(() => Promise.resolve('next'));
      open();
      expect(await next).toBe('next');
      await done[0];
      await expect(gate.through(begun, client.signal)).rejects.toThrow(Busy);
      await pause(0);
      expect(begun).not.toHaveBeenCalled();
    });
  });

  describe('the cores of a process', () => {
    const files = (all: Record<string, string>) => (file: string) => {
      const text = all[file];
      if (text === undefined) throw new Error(`ENOENT: ${file}`);
      return text;
    };

    test.each([
      ['the machine’s without control groups', {}, 8],
      [
        'the machine’s without a quota',
        { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' },
        8,
      ],
      ['the quota', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '150000 100000\n' }, 1.5],
      [
        'no more than the machine has',
        { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '3200000 100000\n' },
        8,
      ],
      [
        'the least quota of a group and those above it',
        {
          '/proc/self/cgroup': '0::/a/b\n',
          '/sys/fs/cgroup/a/b/cpu.max': 'max 100000\n',
          '/sys/fs/cgroup/a/cpu.max': '400000 100000\n',
        },
        4,
      ],
    ])('are %s', (_what, all: Record<string, string>, expected) => {
      expect(cores(files(all), 8)).toBe(expected);
    });

    test('leave one core free of heavy jobs, with at least one slot', () => {
      expect([0.5, 1, 1.5, 2, 8].map((available) => heavySlots(available))).toEqual([1, 1, 1, 1, 7]);
    });
  });
});

describe('limits of Temporal', () => {
  type Status = Parameters<ReturnType<typeof retryOptions>['retryableDecider']>[1];
  const status = (code: number, details: string) => ({ code, details }) as unknown as Status;

  test('a limit of the server is reported at each try with the server’s description, and the call is retried', () => {
    const reported: string[] = [];
    const { retryableDecider } = retryOptions((cause) => void reported.push(cause));
    expect(
      retryableDecider(1, status(8, 'limit on number of concurrent in-flight updates has been reached')),
    ).toBe(true);
    expect(retryableDecider(1, status(8, 'namespace rate limit exceeded'))).toBe(true);
    expect(retryableDecider(1, status(14, 'no connection'))).toBe(true);
    expect(retryableDecider(1, status(5, 'workflow not found'))).toBe(false);
    expect(reported).toEqual([
      'limit on number of concurrent in-flight updates has been reached',
      'namespace rate limit exceeded',
    ]);
  });
});
