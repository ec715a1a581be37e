import request from 'supertest';
import { ownDatabase } from '../../../support/servers/database';
import { ask, by, limitedApp } from './limited';

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
      error: { code: 'RATE_LIMIT_EXCEEDED', message: `Too many requests. Try again in ${retryAfter} s.` },
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
