import { hash, verify } from '@node-rs/argon2';
import { providersConfig } from '../../../activities/providers/config';
import { apiConfig } from '../../../api/config';
import { balanceOf } from '../../../db/ledger/ledger.reads';
import { reportOf } from '../../../db/schema/seed';
import { databaseConfig, SeedConfig, seedConfig } from '../../../db/sql/config';
import { brokenInvariants } from '../../../db/invariants/broken.reads';
import { execute, rows } from '../../../db/sql/query';
import { testVariables } from '../../support/worlds/variables';
import { SeedWorld } from './seed.world';

describe('seed', () => {
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
    test('fills an empty platform, and the second time changes nothing', async () => {
      expect(await world.start()).toHaveLength(11);
      const first = await world.everything();
      expect(await world.start()).toEqual([]);
      expect(await world.everything()).toEqual(first);
    });

    test('gives everything the same id on every machine', async () => {
      const ids = ({ db }: SeedWorld) =>
        rows(
          db,
          `SELECT id FROM users UNION SELECT id FROM products UNION SELECT id FROM coupons
           UNION SELECT id FROM investment_strategies UNION SELECT id FROM investment_categories ORDER BY id`,
        );
      await world.start();
      const other = await SeedWorld.open();
      await other.start();
      expect(await ids(other)).toEqual(await ids(world));
      await other.close();
    });

    test('strategies of both providers, of every risk, limited and not, one of them paused', async () => {
      await world.start();
      const strategies = await rows<Record<string, string | number | null>>(
        world.db,
        'SELECT * FROM investment_strategies',
      );
      expect(strategies).toHaveLength(6);
      const values = (column: string) => [...new Set(strategies.map((one) => one[column]))].sort();
      expect(values('providerCode')).toEqual(['alpha', 'beta']);
      expect(values('riskLevel')).toEqual(['HIGH', 'LOW', 'MEDIUM']);
      expect(values('payoutFrequency')).toEqual(['END_OF_TERM', 'MONTHLY']);
      expect(strategies.filter(({ status }) => status === 'PAUSED')).toHaveLength(1);
      for (const column of ['totalCapacityMinor', 'earlyWithdrawalPenaltyBp', 'maxMinor'])
        expect(values(column)).toEqual(expect.arrayContaining([null, expect.any(Number)]));
      for (const column of ['compoundingAvailable', 'automaticReinvestment', 'earlyWithdrawalAllowed'])
        expect(values(column)).toEqual([false, true]);
    });

    test('two at once: one adds it, the other finds it there', async () => {
      const outcomes = await Promise.all([world.start(), world.start()]);
      expect(outcomes.map((added) => added.length).sort()).toEqual([0, 11]);
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
      expect(await world.start({ SEED_DEMO: 'false' })).toEqual([
        'tax rates',
        'shipping',
        'administrator',
        'internal provider',
      ]);
      expect((await world.people()).map(({ email }) => email)).toEqual(['admin@example.com']);
      expect(await world.count('products')).toBe(0);
      expect(await world.count('coupons')).toBe(0);
      // With the demo requested later, the rest is added and the administrator stays.
      expect(await world.start()).toEqual([
        'demo catalogue',
        'demo coupons',
        'demo accounts',
        'demo partners',
        'demo verifications',
        'demo providers',
        'demo strategies',
      ]);
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
      expect(await world.start(production)).toEqual([
        'tax rates',
        'shipping',
        'administrator',
        'internal provider',
      ]);
      const [boss, ...others] = await world.people();
      expect(others).toEqual([]);
      expect(boss).toMatchObject({ email: 'boss@shop.example', roles: ['USER', 'SUPER_ADMIN'] });
      expect(await verify(boss!.hash, 'a-long-secret-1')).toBe(true);
      expect(await world.count('products')).toBe(0);
      expect(await world.start({ NODE_ENV: 'production' })).toEqual([]);
    });

    test('does not start without an administrator', async () => {
      await expect(world.start({ NODE_ENV: 'production' })).rejects.toThrow(
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
});

describe('demonstration', () => {
  let world: SeedWorld;
  beforeAll(async () => {
    world = await SeedWorld.open();
    await world.start();
  });
  afterAll(() => world.close());

  test('the demo accounts are as the README says', async () => {
    const found = await world.people();
    expect(found).toHaveLength(30);
    const named: [string, string, string[], string, number][] = [
      ['admin@example.com', 'Admin-demo-1!', ['USER', 'SUPER_ADMIN'], 'BASIC', 0],
      ['staff@example.com', 'Staff-demo-1!', ['USER', 'ADMIN'], 'BASIC', 0],
      ['buyer@example.com', 'Buyer-demo-1!', ['USER'], 'BASIC', 10_000_00],
      ['partner@example.com', 'Partner-demo-1!', ['USER'], 'STANDARD', 0],
      ['investor@example.com', 'Investor-demo-1!', ['USER'], 'STANDARD', 50_000_00],
    ];
    for (const [email, password, roles, kyc, walletMinor] of named) {
      const person = found.find((one) => one.email === email)!;
      expect(person).toMatchObject({ roles, kyc });
      expect(person.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(await verify(person.hash, password)).toBe(true);
      expect(await balanceOf(world.db, person.id, 'wallet', 'USD')).toBe(walletMinor);
    }
    expect(
      await rows(world.db, `SELECT email, country, is_default FROM addresses JOIN users u ON u.id = user_id`),
    ).toEqual([{ email: 'buyer@example.com', country: 'DE', isDefault: true }]);
  });

  test('every invariant holds, also those about the levels of the investor and the partner', async () => {
    expect(await brokenInvariants(world.db)).toEqual([]);
    expect(
      await rows(
        world.db,
        `SELECT email, v.status, v.level, v.expires_at > now() + interval '700 days' AS lasts, v.personal_info
           FROM kyc_verifications v JOIN users u ON u.id = v.user_id ORDER BY email`,
      ),
    ).toEqual(
      ['investor@example.com', 'partner@example.com'].map((email) => ({
        ...{ email, status: 'APPROVED', level: 'STANDARD', lasts: true, personalInfo: null },
      })),
    );
  });

  test('a demo whose investor has no verification, since the seed was interrupted, gets it', async () => {
    await execute(world.db, `DELETE FROM kyc_history`);
    await execute(world.db, `DELETE FROM kyc_verifications`);
    expect(await world.start()).toEqual(['demo verifications']);
    expect(await brokenInvariants(world.db)).toEqual([]);
  });

  test('the demo shop has what there is to try', async () => {
    expect(await world.count('products')).toBe(40);
    expect(await world.count('categories')).toBe(8);
    expect(await world.count('categories WHERE parent_id IS NOT NULL')).toBe(4);
    expect(await world.count('shipping_methods')).toBe(3);
    expect(await world.count('coupons')).toBe(2);
    for (const status of ['DRAFT', 'ARCHIVED', 'OUT_OF_STOCK'])
      expect(await world.count(`products WHERE status = '${status}'`)).toBe(1);
    expect(
      await world.count(
        `products p JOIN stock_items s ON s.product_id = p.id WHERE variant_id IS NULL AND available = 1`,
      ),
    ).toBe(1);
    expect(
      await world.count('(SELECT product_id FROM product_variants GROUP BY 1 HAVING count(*) > 1) v'),
    ).toBeGreaterThan(5);
    expect(
      await world.count(
        `products WHERE NOT EXISTS (SELECT 1 FROM product_images WHERE product_id = products.id AND is_primary)`,
      ),
    ).toBe(0);
    expect(
      await world.count(
        'products WHERE track_inventory AND NOT EXISTS (SELECT 1 FROM stock_items WHERE product_id = products.id)',
      ),
    ).toBe(0);
  });

  test('its pictures need no server, and are addresses', async () => {
    const pictures = await rows<{ url: string }>(
      world.db,
      'SELECT url FROM product_images UNION SELECT thumbnail_url FROM product_images UNION SELECT image_url FROM categories',
    );
    expect(pictures.length).toBeGreaterThan(40);
    for (const { url } of pictures) {
      expect(url).toMatch(/^data:image\/svg\+xml,[A-Za-z0-9\-._~:/?@!$&'()*+,;=%]+$/);
      expect(decodeURI(url)).toMatch(/^data:image\/svg\+xml,<svg .*<\/svg>$/);
    }
  });

  test('stock is the sum of its movements', async () => {
    const wrong = `stock_items s LEFT JOIN (
      SELECT stock_item_id AS id, sum(available_delta) AS available, sum(reserved_delta) AS reserved
      FROM stock_movements GROUP BY 1
    ) m USING (id) WHERE s.available IS DISTINCT FROM m.available OR s.reserved IS DISTINCT FROM m.reserved`;
    expect(await world.count('stock_items')).toBeGreaterThan(40);
    expect(await world.count(wrong)).toBe(0);
  });

  test('goods can be sent to nearly everywhere and are taxed in all of the Union', async () => {
    expect(await world.count('tax_rates')).toBe(27);
    expect(
      await rows(
        world.db,
        `SELECT country, rate_bp FROM tax_rates WHERE country IN ('DE', 'FI', 'HU') ORDER BY 1`,
      ),
    ).toEqual([
      { country: 'DE', rateBp: 1_900 },
      { country: 'FI', rateBp: 2_550 },
      { country: 'HU', rateBp: 2_700 },
    ]);
    expect(await world.count('shipping_zones')).toBe(3);
    expect(await world.count('shipping_zone_countries')).toBeGreaterThan(230);
    for (const country of ['DE', 'US', 'JP'])
      expect(
        await world.count(
          `shipping_zone_countries JOIN shipping_rates USING (zone_id) WHERE country = '${country}'`,
        ),
      ).toBeGreaterThan(1);
    expect(await world.count(`shipping_zone_countries WHERE country IN ('AQ', 'KP')`)).toBe(0);
    expect(
      await world.count(
        'tax_rates t WHERE NOT EXISTS (SELECT 1 FROM shipping_zone_countries z WHERE z.country = t.country)',
      ),
    ).toBe(0);
  });
});

describe('settings', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  /** Reads a configuration with these variables and those of a production that sells through Stripe. */
  function read(config: () => unknown, variables: Record<string, string | undefined>): string {
    const real = {
      ...before,
      ...testVariables,
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://a:b@db:5432/c',
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_WEBHOOK_SECRETS: 'whsec_1',
      BANK_HOLDER: 'Own Shop',
      BANK_NAME: 'Own Bank',
      BANK_ACCOUNT_NUMBER: 'DE89 3704 0044 0532 0130 00',
      BANK_BIK: 'COBADEFF',
      MAIL_DIR: '/tmp',
    };
    const all: Record<string, string | undefined> = { ...real, ...variables };
    process.env = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    try {
      config();
      return 'accepted';
    } catch (error) {
      return (error as Error).message;
    }
  }

  describe('production', () => {
    test.each([
      ['the API', apiConfig],
      ['a worker', providersConfig],
    ])('%s refuses the sandbox provider, named or by default, unless it is allowed', (_name, config) => {
      expect(read(config, {})).toBe('accepted');
      for (const PAYMENT_PROVIDER of ['sandbox', undefined]) {
        const sandbox = { PAYMENT_PROVIDER };
        expect(read(config, sandbox)).toContain('PAYMENT_PROVIDER is sandbox');
        expect(read(config, sandbox)).toContain('ALLOW_SANDBOX_PAYMENTS=true');
        for (const ALLOW_SANDBOX_PAYMENTS of ['false', ''])
          expect(read(config, { ...sandbox, ALLOW_SANDBOX_PAYMENTS })).toContain(
            'PAYMENT_PROVIDER is sandbox',
          );
        expect(read(config, { ...sandbox, ALLOW_SANDBOX_PAYMENTS: 'true' })).toBe('accepted');
        expect(read(config, { ...sandbox, NODE_ENV: 'development' })).toBe('accepted');
      }
    });

    test('a worker refuses each part of the demo’s bank account', () => {
      for (const name of ['BANK_HOLDER', 'BANK_NAME', 'BANK_ACCOUNT_NUMBER', 'BANK_BIK']) {
        expect(read(providersConfig, { [name]: undefined })).toMatch(new RegExp(`^${name}: the demo's bank`));
        expect(read(providersConfig, { [name]: undefined, ALLOW_SANDBOX_PAYMENTS: 'true' })).toBe('accepted');
        expect(read(providersConfig, { [name]: undefined, NODE_ENV: 'test' })).toBe('accepted');
      }
      expect(read(providersConfig, { BANK_NAME: undefined, BANK_BIK: 'DEMODEFF' })).toMatch(
        /^BANK_NAME, BANK_BIK: /,
      );
    });

    test.each([
      ['API and workers', databaseConfig],
      ['the seed', seedConfig],
    ])('%s: SEED_DEMO=true is refused by name', (_name, config) => {
      expect(read(config, { SEED_DEMO: 'true' })).toContain('SEED_DEMO');
      expect(read(config, { SEED_DEMO: 'true' })).toContain('production takes no demo data');
      for (const SEED_DEMO of ['false', '', undefined]) expect(read(config, { SEED_DEMO })).toBe('accepted');
      expect(read(config, { SEED_DEMO: 'true', NODE_ENV: 'development' })).toBe('accepted');
    });
  });
});
