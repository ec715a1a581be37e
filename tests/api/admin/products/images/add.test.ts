import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { bomb, picture } from '../../../users/pictures';
import { blobFiles } from '../../../users/portrait';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { auditsOf, outcomes, refusalOf } from '../product-requests';
import { at, sendPicture, shownImages } from './pictures';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

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
  for (let i = 0; i < 50; i++) await make.image(adminWorld.world.db, id, { isPrimary: i === 0, position: i });
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
  expect(outcomeOf(await sendPicture(adminWorld, await product(), {}, { file }))).toBe('413 FILE_TOO_LARGE');
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

test('401 UNAUTHORIZED and 403 FORBIDDEN', async () => {
  const id = await product();
  const ask = (token: string | null) => adminWorld.ask('post', `/admin/products/${id}/images`, {}, token);
  expect(outcomeOf(await ask(null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await ask(adminWorld.tokens.user))).toBe('403 FORBIDDEN');
});
