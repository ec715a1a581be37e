import { hash, verify } from '@node-rs/argon2';
import { SeedConfig } from '../../../db/sql/config';
import { reportOf } from '../../../db/schema/seed';
import { execute, rows } from '../../../db/sql/query';
import { SeedWorld } from './seed.world';

let world: SeedWorld;
beforeEach(async () => {
  world = await SeedWorld.open();
});
afterEach(() => world.close());

const production = {
  NODE_ENV: 'production',
  ADMIN_EMAIL: 'Boss@shop.example',
  ADMIN_PASSWORD: 'a-long-secret-1',
};

describe('outside production', () => {
  test('fills an empty platform within seconds, and the second time changes nothing', async () => {
    const began = performance.now();
    expect(await world.start()).toHaveLength(6);
    expect(performance.now() - began).toBeLessThan(10_000);
    const first = await world.everything();
    expect(await world.start()).toEqual([]);
    expect(await world.everything()).toEqual(first);
  });

  test('gives everything the same id on every machine', async () => {
    const ids = ({ db }: SeedWorld) =>
      rows(db, 'SELECT id FROM users UNION SELECT id FROM products UNION SELECT id FROM coupons ORDER BY id');
    await world.start();
    const other = await SeedWorld.open();
    await other.start();
    expect(await ids(other)).toEqual(await ids(world));
    await other.close();
  });

  test('two at once: one adds it, the other finds it there', async () => {
    const outcomes = await Promise.all([world.start(), world.start()]);
    expect(outcomes.map((added) => added.length).sort()).toEqual([0, 6]);
    expect(await world.count('products')).toBe(40);
  });

  test('leaves alone what people have changed, and puts nothing back', async () => {
    await world.start();
    await execute(world.db, `UPDATE tax_rates SET rate_bp = 100 WHERE country = 'DE'`);
    await execute(world.db, `DELETE FROM tax_rates WHERE country = 'FR'`);
    await execute(world.db, `DELETE FROM coupons WHERE code = 'TAKE5'`);
    await execute(world.db, `UPDATE users SET password_hash = 'changed' WHERE email = 'buyer@example.com'`);
    const changed = await world.everything();
    expect(await world.start()).toEqual([]);
    expect(await world.everything()).toEqual(changed);
  });

  test('SEED_DEMO=false: an administrator, taxes and shipping, and no demo', async () => {
    expect(await world.start({ SEED_DEMO: 'false' })).toEqual(['tax rates', 'shipping', 'administrator']);
    expect((await world.people()).map(({ email }) => email)).toEqual(['admin@example.com']);
    expect(await world.count('products')).toBe(0);
    expect(await world.count('coupons')).toBe(0);
    // With the demo requested later, the rest is added and the administrator stays.
    expect(await world.start()).toEqual(['demo catalogue', 'demo coupons', 'demo accounts']);
    expect(await world.people()).toHaveLength(30);
  });

  test('what fails leaves nothing behind', async () => {
    await execute(world.owner, `ALTER TABLE coupons ADD CONSTRAINT none CHECK (code <> 'TAKE5')`);
    await expect(world.start()).rejects.toThrow();
    expect(await world.count('users')).toBe(0);
    expect(await world.count('tax_rates')).toBe(0);
  });
});

describe('in production', () => {
  test('adds no demo, and the administrator whom the environment names', async () => {
    expect(await world.start(production)).toEqual(['tax rates', 'shipping', 'administrator']);
    const [boss, ...others] = await world.people();
    expect(others).toEqual([]);
    expect(boss).toMatchObject({ email: 'boss@shop.example', roles: ['USER', 'SUPER_ADMIN'] });
    expect(await verify(boss!.hash, 'a-long-secret-1')).toBe(true);
    expect(await world.count('products')).toBe(0);
    expect(await world.start({ NODE_ENV: 'production' })).toEqual([]);
  });

  test('does not start without an administrator', async () => {
    await expect(world.start({ NODE_ENV: 'production', ADMIN_EMAIL: '' })).rejects.toThrow(
      'set ADMIN_EMAIL and ADMIN_PASSWORD',
    );
    expect(await world.count('users')).toBe(0);
  });

  test('takes no password that everyone can read', async () => {
    await expect(world.start({ ...production, ADMIN_PASSWORD: 'Admin-demo-1!' })).rejects.toThrow(
      'demo password',
    );
    expect(await world.count('users')).toBe(0);
  });

  test('refuses while a demo password opens an administrator, whatever else is there', async () => {
    await world.start();
    await execute(world.db, `UPDATE users SET password_hash = $1 WHERE email = 'staff@example.com'`, [
      await hash('Buyer-demo-1!'),
    ]);
    const refused = () => world.start(production).then(String, String);
    expect(await refused()).toMatch(/opens the administrator admin@example.com, staff@example.com\./);
    expect(await refused()).toContain('SEALING_KEYS=… npm run admins -- remove staff@example.com --admin');
    expect(await world.count(`users WHERE email = 'boss@shop.example'`)).toBe(0);
    await execute(world.db, `UPDATE users SET roles = '{USER}' WHERE email = 'staff@example.com'`);
    await execute(world.db, `UPDATE users SET password_hash = $1 WHERE email = 'admin@example.com'`, [
      await hash('a-password-of-their-own'),
    ]);
    expect(await world.start(production)).toEqual([]);
  });

  test('refuses the administrator whom development named with a demo password, too; a banned one opens nothing', async () => {
    const ADMIN_EMAIL = 'first@shop.example';
    await world.start({ ADMIN_EMAIL, ADMIN_PASSWORD: 'Admin-demo-1!', SEED_DEMO: 'false' });
    await expect(world.start(production)).rejects.toThrow(`opens the administrator ${ADMIN_EMAIL}.`);
    await execute(world.db, `UPDATE users SET status = 'BANNED'`);
    expect(await world.start(production)).toEqual([]);
  });

  test('says when the administrator whom it was given is not used', async () => {
    const administrator = { email: 'boss@shop.example', password: 'a-long-secret-1' };
    expect(reportOf({ administrator }, ['administrator'])).toBe('Seed: added administrator.');
    expect(reportOf({ administrator: null }, [])).toBe('Seed: everything is there already.');
    expect(reportOf({ administrator }, [])).toContain('ADMIN_EMAIL and ADMIN_PASSWORD were not used');
  });
});

test.each([
  [{ ADMIN_EMAIL: 'boss@shop.example' }, 'go together'],
  [{ ADMIN_PASSWORD: 'a-long-secret-1' }, 'go together'],
  [{ ...production, SEED_DEMO: 'true' }, 'production takes no demo data'],
  [{ ADMIN_EMAIL: 'boss', ADMIN_PASSWORD: 'a-long-secret-1' }, 'ADMIN_EMAIL'],
  [{ ADMIN_EMAIL: 'boss@shop.example', ADMIN_PASSWORD: 'short' }, '12 characters'],
])('%j is refused', (variables, why) => {
  const result = SeedConfig.safeParse({ DATABASE_URL: 'postgres://localhost/shop', ...variables });
  expect(String(result.error)).toContain(why);
});
