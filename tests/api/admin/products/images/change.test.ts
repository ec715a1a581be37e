import { randomUUID } from 'node:crypto';
import { make } from '../../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { auditsOf, outcomes, refusalOf } from '../product-requests';
import { shownImages } from './pictures';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

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

test('401 UNAUTHORIZED and 403 FORBIDDEN', async () => {
  expect(outcomeOf(await change(randomUUID(), randomUUID(), {}, null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await change(randomUUID(), randomUUID(), {}, adminWorld.tokens.user))).toBe(
    '403 FORBIDDEN',
  );
});
