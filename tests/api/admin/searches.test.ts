import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { counted } from '../mlm/counted';
import { startAdminWorld, type AdminWorld } from './admin-world';

let adminWorld: AdminWorld;
/** The id of the one row that each list has of Zoë, whose name and goods have accents. */
const idIn: Record<string, string> = {};

beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
  const { db } = adminWorld.world;
  const { id: userId } = await make.user(db, { firstName: 'Zoë', lastName: 'Łukasz-Nuñez' });
  const product = await make.product(db, { name: 'Émaillé kettle' });
  const orderId = await make.purchase(db, { userId, productId: product.id });
  await execute(db, 'UPDATE orders SET shipping_address = $2 WHERE id = $1', [
    orderId,
    JSON.stringify({ recipientName: 'Søren Čapek' }),
  ]);
  await execute(db, `UPDATE order_items SET sku = 'ÉM-1' WHERE order_id = $1`, [orderId]);
  idIn['users'] = userId;
  idIn['orders'] = orderId;
  idIn['products'] = product.id;
  idIn['partners'] = (await make.partner(db, { userId })).id;
  idIn['participations'] = (await make.participation(db, { userId })).id;
  idIn['reviews'] = (
    await make.review(db, { userId, productId: product.id, title: 'Très bien', content: 'À voir.' })
  ).id;
  await counted(db);
});
afterAll(() => adminWorld.world.teardown());

test.each([
  ['users', 'zoe lukasz-nunez'],
  ['users', 'ZÖE ŁUKASZ'],
  ['partners', 'zoe lukasz'],
  ['participations', 'zoe lukasz'],
  ['orders', 'zoe lukasz'],
  ['orders', 'soren capek'],
  ['orders', 'em-1'],
  ['products', 'emaille KÉTTLE'],
  ['reviews', 'tres bien'],
  ['reviews', 'a voir'],
])('GET /admin/%s?search=%s ignores accents', async (list, search) => {
  const { status, body } = await adminWorld.ask('get', `/admin/${list}?search=${encodeURIComponent(search)}`);
  expect(status).toBe(200);
  expect(body.data[list].map(({ id }: { id: string }) => id)).toEqual([idIn[list]]);
});
