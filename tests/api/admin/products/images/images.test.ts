import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { execute, rows } from '../../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../../workers/queues';
import { make } from '../../../../support/builders/make';
import { shopper } from '../../../../support/builders/shop';
import { bomb, picture } from '../../../users/pictures';
import { blobFiles } from '../../../users/portrait';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { auditsOf, outcomes, refusalOf } from '../product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ queues: ['interactive', ...PROVIDER_QUEUES] });
});
afterAll(() => adminWorld.world.teardown());
beforeEach(() => execute(adminWorld.world.db, 'DELETE FROM discarded_blobs'));

/** Sends a picture for a product, by default as an administrator. */
const sendPicture = async (
  { world, tokens }: AdminWorld,
  id: string,
  fields: Record<string, string> = {},
  { file, token = tokens.admin }: { file?: Buffer; token?: string | null } = {},
) => {
  const request = world.http.post(`/api/v1/admin/products/${id}/images`);
  if (token !== null) void request.auth(token, { type: 'bearer' });
  for (const [name, value] of Object.entries(fields)) void request.field(name, value);
  return request.attach('file', file ?? (await picture('png')), 'picture.png');
};

/** The pictures of a product as the shop shows them. */
const shownImages = async ({ world }: AdminWorld, id: string) => {
  const { body } = await world.http.get(`/api/v1/products/${id}`);
  return body.data.images as {
    id: string;
    isPrimary: boolean;
    position: number;
    url: string;
    alt: string | null;
  }[];
};

/** The picture that our own URL answers. */
const at = ({ world }: AdminWorld, url: string) => world.http.get(new URL(url).pathname).buffer(true);

describe('POST /admin/products/:id/images', () => {
  const product = async () => (await make.product(adminWorld.world.db)).id;

  test('201: it is in the shop at once, in two sizes, without the camera’s metadata', async () => {
    const id = await product();
    await shownImages(adminWorld, id);
    const file = await picture('jpeg', { width: 2400, height: 1200, exif: true });
    const answer = await sendPicture(adminWorld, id, { alt: 'A blue kettle' }, { file });
    expect(answer.status).toBe(201);
    const url = expect.stringMatching(new RegExp(`^${adminWorld.world.url}/media/[0-9a-f]{64}$`));
    const image = { id: expect.any(String), url, thumbnailUrl: url, alt: 'A blue kettle' };
    expect(answer.body.data).toEqual({ ...image, isPrimary: true, position: 0 });
    expect(await shownImages(adminWorld, id)).toEqual([{ ...image, isPrimary: true, position: 0 }]);
    for (const [address, width, height] of [
      [answer.body.data.url, 1600, 800],
      [answer.body.data.thumbnailUrl, 400, 400],
    ] as const) {
      const { status, body } = await at(adminWorld, address);
      const { format, exif, ...seen } = await sharp(body as Buffer).metadata();
      expect([status, format, exif]).toEqual([200, 'webp', undefined]);
      expect(seen).toMatchObject({ width, height });
    }
    expect(await auditsOf(adminWorld.world.db, id)).toMatchObject([
      { action: 'product.add-image', previous: null, next: { id: answer.body.data.id, isPrimary: true } },
    ]);
  });

  test('a small picture is not enlarged', async () => {
    const { body } = await sendPicture(
      adminWorld,
      await product(),
      {},
      { file: await picture('webp', { width: 90, height: 60 }) },
    );
    expect(await sharp((await at(adminWorld, body.data.url)).body as Buffer).metadata()).toMatchObject({
      width: 90,
      height: 60,
    });
  });

  test('the next stand after it, where they were productRequest; a new primary one takes its place', async () => {
    const id = await product();
    const sent = [];
    for (const fields of [{}, {}, { isPrimary: 'true', position: '9' }, { position: '0' }, {}])
      sent.push((await sendPicture(adminWorld, id, fields)).body.data);
    expect(sent.map(({ isPrimary, position }) => [isPrimary, position])).toEqual([
      [true, 0],
      [false, 1],
      [true, 9],
      [false, 0],
      [false, 10],
    ]);
    const shown = await shownImages(adminWorld, id);
    expect(shown.map(({ isPrimary, position }) => [isPrimary, position])).toEqual([
      [true, 9],
      [false, 0],
      [false, 0],
      [false, 1],
      [false, 10],
    ]);
  });

  test('8 primary ones at once: one is primary', async () => {
    const id = await product();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => sendPicture(adminWorld, id, { isPrimary: 'true' })),
    );
    expect(outcomes(answers)).toEqual({ '201': 8 });
    const shown = await shownImages(adminWorld, id);
    expect(shown.filter(({ isPrimary }) => isPrimary)).toHaveLength(1);
    expect(shown.map(({ position }) => position).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('at most 50 for each product, and one too many leaves no blob in use', async () => {
    const id = await product();
    for (let i = 0; i < 50; i++)
      await make.image(adminWorld.world.db, id, { isPrimary: i === 0, position: i });
    expect(refusalOf(await sendPicture(adminWorld, id))).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
    });
    const left = await rows(adminWorld.world.db, 'SELECT name FROM discarded_blobs');
    expect(left).toHaveLength(2);
  });

  describe('400 INVALID_FILE_TYPE', () => {
    test.each<[string, () => Promise<Buffer> | Buffer]>([
      ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
      ['GIF', () => picture('gif')],
      ['nothing at all', () => Buffer.alloc(0)],
      ['a picture that ends too soon', async () => (await picture('jpeg')).subarray(0, 400)],
      ['too many pixels', () => bomb()],
    ])('%s', async (_what, file) => {
      const id = await product();
      const before = await blobFiles(adminWorld.world);
      const answer = await sendPicture(adminWorld, id, {}, { file: await file() });
      expect(outcomeOf(answer)).toBe('400 INVALID_FILE_TYPE');
      expect(await shownImages(adminWorld, id)).toEqual([]);
      expect(await blobFiles(adminWorld.world)).toBe(before);
    });
  });

  test('413 FILE_TOO_LARGE over 10 MB', async () => {
    const file = Buffer.alloc(10 * 1024 * 1024 + 1, 1);
    expect(outcomeOf(await sendPicture(adminWorld, await product(), {}, { file }))).toBe(
      '413 FILE_TOO_LARGE',
    );
  });

  test('404 PRODUCT_NOT_FOUND', async () => {
    expect(outcomeOf(await sendPicture(adminWorld, randomUUID()))).toBe('404 PRODUCT_NOT_FOUND');
  });

  test.each([
    ['position', '-1'],
    ['position', '9999999'],
    ['isPrimary', 'maybe'],
    ['alt', 'x'.repeat(301)],
  ])('400 VALIDATION_ERROR: %s %p', async (field, value) => {
    const answer = await sendPicture(adminWorld, await product(), { [field]: value });
    expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: [field] });
  });
});

describe('PATCH /admin/products/:id/images/:imageId', () => {
  const change = (id: string, imageId: string, body: object, token?: string | null) =>
    adminWorld.ask('patch', `/admin/products/${id}/images/${imageId}`, body, token);

  /** A product with three pictures, the first of them primary. */
  async function gallery() {
    const { db } = adminWorld.world;
    const { id } = await make.product(db);
    const images = [];
    for (let position = 0; position < 3; position++)
      images.push(await make.image(db, id, { position, isPrimary: position === 0 }));
    return { id, images: images as [string, string, string] };
  }
  const primary = async (id: string) =>
    (await shownImages(adminWorld, id)).filter(({ isPrimary }) => isPrimary).map((image) => image.id);

  test('200: the fields sent are changed, in the shop at once, and recorded', async () => {
    const { id, images } = await gallery();
    await shownImages(adminWorld, id);
    const { status, body } = await change(id, images[1], { alt: 'From behind', position: 7 });
    expect([status, body.data]).toEqual([
      200,
      {
        id: images[1],
        url: expect.any(String),
        thumbnailUrl: expect.any(String),
        alt: 'From behind',
        isPrimary: false,
        position: 7,
      },
    ]);
    expect((await shownImages(adminWorld, id)).map((image) => image.id)).toEqual([
      images[0],
      images[2],
      images[1],
    ]);
    await change(id, images[1], { alt: null });
    expect(await auditsOf(adminWorld.world.db, id)).toEqual([
      {
        action: 'product.update-image',
        previous: { imageId: images[1], alt: null, position: 1 },
        next: { imageId: images[1], alt: 'From behind', position: 7 },
      },
      {
        action: 'product.update-image',
        previous: { imageId: images[1], alt: 'From behind' },
        next: { imageId: images[1], alt: null },
      },
    ]);
  });

  describe('one picture always is primary', () => {
    test('another becomes primary', async () => {
      const { id, images } = await gallery();
      expect((await change(id, images[2], { isPrimary: true })).body.data.isPrimary).toBe(true);
      expect(await primary(id)).toEqual([images[2]]);
    });

    test('with false, the next becomes primary', async () => {
      const { id, images } = await gallery();
      expect((await change(id, images[0], { isPrimary: false })).body.data.isPrimary).toBe(false);
      expect(await primary(id)).toEqual([images[1]]);
    });

    test('with false for the only one, it stays primary', async () => {
      const { id } = await make.product(adminWorld.world.db);
      const only = await make.image(adminWorld.world.db, id);
      expect((await change(id, only, { isPrimary: false })).body.data.isPrimary).toBe(true);
      expect(await auditsOf(adminWorld.world.db, id)).toEqual([]);
    });

    test('when many are made primary at once', async () => {
      const { id, images } = await gallery();
      const answers = await Promise.all(
        [...images, ...images, ...images].map((image, i) => change(id, image, { isPrimary: i % 4 !== 3 })),
      );
      expect(outcomes(answers)).toEqual({ '200': 9 });
      expect(await primary(id)).toHaveLength(1);
    });
  });

  test('404 PRODUCT_NOT_FOUND and IMAGE_NOT_FOUND, of another product too', async () => {
    const [one, other] = [await gallery(), await gallery()];
    expect(outcomeOf(await change(randomUUID(), one.images[0], {}))).toBe('404 PRODUCT_NOT_FOUND');
    expect(outcomeOf(await change(one.id, randomUUID(), {}))).toBe('404 IMAGE_NOT_FOUND');
    expect(outcomeOf(await change(other.id, one.images[0], { alt: 'x' }))).toBe('404 IMAGE_NOT_FOUND');
  });

  test.each<[string, object]>([
    ['position', { position: -1 }],
    ['position', { position: null }],
    ['isPrimary', { isPrimary: 'true' }],
    ['alt', { alt: 'x'.repeat(301) }],
  ])('400 VALIDATION_ERROR: %s in %p', async (field, body) => {
    const { id, images } = await gallery();
    expect(refusalOf(await change(id, images[0], body))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: [field],
    });
  });
});

describe('DELETE /admin/products/:id/images/:imageId', () => {
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
});
