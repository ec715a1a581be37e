import { randomUUID } from 'node:crypto';
import { rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { shopper } from '../../../../support/builders/shop';
import { blobFiles } from '../../../users/portrait';
import { startOffice, verdict, type Office } from '../../office';
import { auditsOf, outcomes } from '../product-requests';
import { at, sendPicture, shownImages } from './pictures';

let office: Office;
beforeAll(async () => {
  office = await startOffice();
});
afterAll(() => office.world.teardown());

const remove = (id: string, imageId: string, token?: string | null) =>
  office.ask('delete', `/admin/products/${id}/images/${imageId}`, undefined, token);
const product = async () => (await make.product(office.world.db)).id;

test('200: it is removed from the shop and the disk at once; the next becomes primary', async () => {
  const id = await product();
  const before = await blobFiles(office.world);
  const [first, second] = [await sendPicture(office, id), await sendPicture(office, id)];
  expect(await blobFiles(office.world)).toBe(before + 4);
  const { status, body } = await remove(id, first.body.data.id);
  expect([status, body.data]).toEqual([
    200,
    { id: first.body.data.id, deletedAt: expect.any(String), deletedBy: office.admin.id },
  ]);
  expect(await shownImages(office, id)).toMatchObject([{ id: second.body.data.id, isPrimary: true }]);
  for (const url of [first.body.data.url, first.body.data.thumbnailUrl])
    expect((await at(office, url)).status).toBe(404);
  expect(await blobFiles(office.world)).toBe(before + 2);
  expect(await rows(office.world.db, 'SELECT name FROM discarded_blobs')).toEqual([]);
  expect((await auditsOf(office.world.db, id)).at(-1)).toMatchObject({
    action: 'product.delete-image',
    previous: { id: first.body.data.id, url: first.body.data.url },
    next: { imageId: first.body.data.id, deletedAt: body.data.deletedAt },
  });
});

test('an order continues to show its thumbnail', async () => {
  const id = await product();
  const { url, thumbnailUrl, id: imageId } = (await sendPicture(office, id)).body.data;
  const buyer = await shopper(office.world, [{ productId: id }]);
  const { orderId } = await buyer.order();
  expect((await remove(id, imageId)).status).toBe(200);
  const order = await buyer.get(`/orders/${orderId}`);
  expect(order.body.data.items[0].product.thumbnailUrl).toBe(thumbnailUrl);
  expect((await at(office, thumbnailUrl)).status).toBe(200);
  expect((await at(office, url)).status).toBe(404);
});

test('a picture stored elsewhere is removed from the shop only', async () => {
  const id = await product();
  const imageId = await make.image(office.world.db, id);
  expect((await remove(id, imageId)).status).toBe(200);
  expect(await shownImages(office, id)).toEqual([]);
});

test('all of them removed at once, each once', async () => {
  const id = await product();
  const images = [];
  for (let i = 0; i < 4; i++) images.push((await sendPicture(office, id)).body.data.id as string);
  const answers = await Promise.all([...images, ...images].map((image) => remove(id, image)));
  expect(outcomes(answers)).toEqual({ '200': 4, IMAGE_NOT_FOUND: 4 });
});

test('404 PRODUCT_NOT_FOUND and IMAGE_NOT_FOUND, of another product too', async () => {
  const [id, other] = [await product(), await product()];
  const imageId = await make.image(office.world.db, id);
  expect(verdict(await remove(randomUUID(), imageId))).toBe('404 PRODUCT_NOT_FOUND');
  expect(verdict(await remove(id, randomUUID()))).toBe('404 IMAGE_NOT_FOUND');
  expect(verdict(await remove(other, imageId))).toBe('404 IMAGE_NOT_FOUND');
});

test('401 UNAUTHORIZED and 403 FORBIDDEN', async () => {
  expect(verdict(await remove(randomUUID(), randomUUID(), null))).toBe('401 UNAUTHORIZED');
  expect(verdict(await remove(randomUUID(), randomUUID(), office.tokens.user))).toBe('403 FORBIDDEN');
});
