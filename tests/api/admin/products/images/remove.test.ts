import { randomUUID } from 'node:crypto';
import { rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { shopper } from '../../../../support/builders/shop';
import { blobFiles } from '../../../users/portrait';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { auditsOf, outcomes } from '../product-requests';
import { at, sendPicture, shownImages } from './pictures';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld();
});
afterAll(() => adminWorld.world.teardown());

const remove = (id: string, imageId: string, token?: string | null) =>
  adminWorld.ask('delete', `/admin/products/${id}/images/${imageId}`, undefined, token);
const product = async () => (await make.product(adminWorld.world.db)).id;

test('200: it is removed from the shop and the disk at once; the next becomes primary', async () => {
  const id = await product();
  const before = await blobFiles(adminWorld.world);
  const [first, second] = [await sendPicture(adminWorld, id), await sendPicture(adminWorld, id)];
  expect(await blobFiles(adminWorld.world)).toBe(before + 4);
  const { status, body } = await remove(id, first.body.data.id);
  expect([status, body.data]).toEqual([
    200,
    { id: first.body.data.id, deletedAt: expect.any(String), deletedBy: adminWorld.admin.id },
  ]);
  expect(await shownImages(adminWorld, id)).toMatchObject([{ id: second.body.data.id, isPrimary: true }]);
  for (const url of [first.body.data.url, first.body.data.thumbnailUrl])
    expect((await at(adminWorld, url)).status).toBe(404);
  expect(await blobFiles(adminWorld.world)).toBe(before + 2);
  expect(await rows(adminWorld.world.db, 'SELECT name FROM discarded_blobs')).toEqual([]);
  expect((await auditsOf(adminWorld.world.db, id)).at(-1)).toMatchObject({
    action: 'product.delete-image',
    previous: { id: first.body.data.id, url: first.body.data.url },
    next: { imageId: first.body.data.id, deletedAt: body.data.deletedAt },
  });
});

test('an order continues to show its thumbnail', async () => {
  const id = await product();
  const { url, thumbnailUrl, id: imageId } = (await sendPicture(adminWorld, id)).body.data;
  const buyer = await shopper(adminWorld.world, [{ productId: id }]);
  const { orderId } = await buyer.order();
  expect((await remove(id, imageId)).status).toBe(200);
  const order = await buyer.get(`/orders/${orderId}`);
  expect(order.body.data.items[0].product.thumbnailUrl).toBe(thumbnailUrl);
  expect((await at(adminWorld, thumbnailUrl)).status).toBe(200);
  expect((await at(adminWorld, url)).status).toBe(404);
});

test('a picture stored elsewhere is removed from the shop only', async () => {
  const id = await product();
  const imageId = await make.image(adminWorld.world.db, id);
  expect((await remove(id, imageId)).status).toBe(200);
  expect(await shownImages(adminWorld, id)).toEqual([]);
});

test('all of them removed at once, each once', async () => {
  const id = await product();
  const images = [];
  for (let i = 0; i < 4; i++) images.push((await sendPicture(adminWorld, id)).body.data.id as string);
  const answers = await Promise.all([...images, ...images].map((image) => remove(id, image)));
  expect(outcomes(answers)).toEqual({ '200': 4, IMAGE_NOT_FOUND: 4 });
});

test('404 PRODUCT_NOT_FOUND and IMAGE_NOT_FOUND, of another product too', async () => {
  const [id, other] = [await product(), await product()];
  const imageId = await make.image(adminWorld.world.db, id);
  expect(outcomeOf(await remove(randomUUID(), imageId))).toBe('404 PRODUCT_NOT_FOUND');
  expect(outcomeOf(await remove(id, randomUUID()))).toBe('404 IMAGE_NOT_FOUND');
  expect(outcomeOf(await remove(other, imageId))).toBe('404 IMAGE_NOT_FOUND');
});

test('401 UNAUTHORIZED and 403 FORBIDDEN', async () => {
  expect(outcomeOf(await remove(randomUUID(), randomUUID(), null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await remove(randomUUID(), randomUUID(), adminWorld.tokens.user))).toBe('403 FORBIDDEN');
});
