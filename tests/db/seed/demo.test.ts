import { verify } from '@node-rs/argon2';
import { balanceOf } from '../../../db/ledger/ledger.reads';
import { rows } from '../../../db/sql/query';
import { SeedWorld } from './seed.world';

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
    ['partner@example.com', 'Partner-demo-1!', ['USER'], 'BASIC', 0],
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
