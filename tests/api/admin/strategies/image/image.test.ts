import sharp from 'sharp';
import { v7 } from 'uuid';
import { execute, rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { violations } from '../../../../support/checks/violations';
import { bomb, picture } from '../../../users/pictures';
import { blobFiles } from '../../../users/portrait';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { auditsOf } from '../strategy-requests';

let at: AdminWorld;
beforeAll(async () => {
  at = await startAdminWorld({ worker: false });
});
afterAll(() => at.world.teardown());
beforeEach(() => execute(at.world.db, 'DELETE FROM discarded_blobs'));

const send = async (id: string, file?: Buffer) =>
  at.world.http
    .post(`/api/v1/admin/strategies/${id}/image`)
    .auth(at.tokens.admin, { type: 'bearer' })
    .attach('file', file ?? (await picture('png')), 'picture.png');
const remove = (id: string) => at.ask('delete', `/admin/strategies/${id}/image`);
const shownUrl = async (id: string): Promise<string | null> =>
  (await at.ask('get', `/investment/strategies/${id}`, undefined, null)).body.data.imageUrl as string | null;

describe('POST /admin/strategies/:id/image', () => {
  test('201: visitors see it at once, within 1,600 pixels, without the camera’s metadata', async () => {
    const { id } = await make.strategy(at.world.db);
    expect(await shownUrl(id)).toBeNull();
    const answer = await send(id, await picture('jpeg', { width: 2400, height: 1200, exif: true }));
    const imageUrl = expect.stringMatching(new RegExp(`^${at.world.url}/media/[0-9a-f]{64}$`));
    expect([answer.status, answer.body.data]).toEqual([
      201,
      { id, imageUrl, updatedAt: expect.any(String), updatedBy: at.admin.id },
    ]);
    expect(await shownUrl(id)).toBe(answer.body.data.imageUrl);
    const served = await at.world.http.get(new URL(answer.body.data.imageUrl).pathname).buffer(true);
    const { format, exif, width, height } = await sharp(served.body as Buffer).metadata();
    expect([served.status, format, exif, width, height]).toEqual([200, 'webp', undefined, 1600, 800]);
    expect(await auditsOf(at.world.db, id)).toMatchObject([
      {
        action: 'strategy.change-image',
        previous: { imageUrl: null },
        next: { imageUrl: answer.body.data.imageUrl },
      },
    ]);
  });

  test('another replaces it, and nothing of the first is left', async () => {
    const { id } = await make.strategy(at.world.db);
    const first = (await send(id)).body.data.imageUrl as string;
    const files = await blobFiles(at.world);
    const second = (await send(id, await picture('webp'))).body.data.imageUrl as string;
    expect(await shownUrl(id)).toBe(second);
    expect((await at.world.http.get(new URL(first).pathname)).status).toBe(404);
    expect(await blobFiles(at.world)).toBe(files);
    expect(await rows(at.world.db, 'SELECT name FROM discarded_blobs')).toEqual([]);
    expect(await violations(at.world.db)).toEqual([]);
  });

  test('two at once: one is left, and no file of the other', async () => {
    const { id } = await make.strategy(at.world.db);
    const files = await blobFiles(at.world);
    expect((await Promise.all([send(id), send(id)])).map(outcomeOf)).toEqual(['201', '201']);
    expect(await blobFiles(at.world)).toBe(files + 1);
    expect((await at.world.http.get(new URL((await shownUrl(id))!).pathname)).status).toBe(200);
  });

  test('400 INVALID_FILE_TYPE, 413 FILE_TOO_LARGE, 404 STRATEGY_NOT_FOUND', async () => {
    const { id } = await make.strategy(at.world.db);
    expect(outcomeOf(await send(id, Buffer.from('<svg/>')))).toBe('400 INVALID_FILE_TYPE');
    expect(outcomeOf(await send(id, await bomb()))).toBe('400 INVALID_FILE_TYPE');
    expect(outcomeOf(await send(id, Buffer.alloc(10 * 1024 * 1024 + 1)))).toBe('413 FILE_TOO_LARGE');
    expect(outcomeOf(await send(v7()))).toBe('404 STRATEGY_NOT_FOUND');
    expect(await shownUrl(id)).toBeNull();
  });
});

describe('DELETE /admin/strategies/:id/image', () => {
  test('200, then 404 IMAGE_NOT_FOUND; its file is gone', async () => {
    const { id } = await make.strategy(at.world.db);
    const url = (await send(id)).body.data.imageUrl as string;
    const answer = await remove(id);
    expect([answer.status, answer.body.data]).toEqual([
      200,
      { id, deletedAt: expect.any(String), deletedBy: at.admin.id },
    ]);
    expect(await shownUrl(id)).toBeNull();
    expect((await at.world.http.get(new URL(url).pathname)).status).toBe(404);
    expect(outcomeOf(await remove(id))).toBe('404 IMAGE_NOT_FOUND');
    expect(outcomeOf(await remove(v7()))).toBe('404 STRATEGY_NOT_FOUND');
    expect((await auditsOf(at.world.db, id)).at(-1)).toMatchObject({
      action: 'strategy.change-image',
      previous: { imageUrl: url },
      next: { imageUrl: null },
    });
  });

  test('a picture that is not stored here is forgotten', async () => {
    const { id } = await make.strategy(at.world.db, { imageUrl: 'https://images.example.com/a.webp' });
    expect((await remove(id)).status).toBe(200);
    expect(await shownUrl(id)).toBeNull();
  });
});
