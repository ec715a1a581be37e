import { execute, rows } from '../../../../db/sql/query';
import { eventually } from '../../../support/checks/eventually';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { askAuth, newcomer, refusedWith, registered } from '../../../support/builders/registering';
import { startWorld, type World } from '../../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld({ variables: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' } });
});
afterAll(() => world.teardown());
beforeEach(() => execute(world.db, 'DELETE FROM rate_limits'));

const LIMITED = { status: 429, code: 'RATE_LIMIT_EXCEEDED' };
let places = 0;
/** Another client address, for which the counts begin at zero. */
const elsewhere = () => ({ 'X-Forwarded-For': `198.51.100.${++places}` });

describe('429 RATE_LIMIT_EXCEEDED', () => {
  test.each([
    ['register', 5],
    ['resend-verification', 3],
    ['forgot-password', 3],
    ['reset-password', 3],
  ])('%s: %d from one address', async (path, most) => {
    const place = elsewhere();
    const ask = () => askAuth(world, path, { ...newcomer(), email: 'nobody@', token: '' }, place);
    for (let i = 0; i < most; i++) expect((await ask()).status).toBe(400);
    const answer = await ask();
    expect(refusedWith(answer)).toEqual(LIMITED);
    expect(answer.headers['x-ratelimit-limit']).toBe(String(most));
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('three verification mails an hour to one mailbox, from all clients together', async () => {
    const { email } = await registered(world);
    const resend = () => askAuth(world, 'resend-verification', { email }, elsewhere());
    for (let i = 0; i < 3; i++) expect((await resend()).status).toBe(200);
    const fourth = await resend();
    expect(refusedWith(fourth)).toEqual(LIMITED);
    expect(Number(fourth.headers['retry-after'])).toBeGreaterThan(3500);
    expect(fourth.body.retryAfter).toBe(Number(fourth.headers['retry-after']));
    expect(await mailsTo(world.db, email)).toHaveLength(4);

    await execute(world.db, `UPDATE rate_limits SET expire = expire - 3600000`);
    expect((await resend()).status).toBe(200);
  });
});

test('three mails to reset a password an hour go to one mailbox; the fourth request gets the same answer', async () => {
  const user = await make.user(world.db);
  const bodies = [];
  for (let i = 0; i < 4; i++) {
    const answer = await askAuth(world, 'forgot-password', { email: user.email }, elsewhere());
    expect(answer.status).toBe(200);
    bodies.push(JSON.stringify(answer.body));
  }
  expect(new Set(bodies).size).toBe(1);
  await eventually(async () =>
    expect(await rows(world.db, 'SELECT id FROM password_reset_requests')).toEqual([]),
  );
  expect(await mailsTo(world.db, user.email)).toHaveLength(3);
});
