import sharp from 'sharp';
import { rows } from '../../../../db/sql/query';
import { startWorld, type World } from '../../../support/worlds/world';
import { picture } from '../pictures';
import { blobFiles, sitter } from '../portrait';

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: false });
});
afterAll(() => world.teardown());

const someone = () => sitter(world);
const pathOf = (url: string): string => new URL(url).pathname;
const fetched = (url: string) => world.http.get(pathOf(url)).buffer(true);

describe('200', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('a %s becomes two WebP squares', async (format) => {
    const { upload, me } = await someone();
    const { status, body } = await upload(await picture(format, { width: 900, height: 300 }));
    expect(status).toBe(200);
    const url = expect.stringMatching(new RegExp(`^${world.url}/media/[0-9a-f]{64}$`));
    expect(body).toEqual({
      success: true,
      data: { avatarUrl: url, thumbnails: { small: url, large: url } },
    });
    const { avatarUrl, thumbnails } = body.data;
    expect(avatarUrl).toBe(thumbnails.large);
    expect((await me()).avatarUrl).toBe(avatarUrl);
    for (const [address, side] of [
      [thumbnails.small, 200],
      [thumbnails.large, 400],
    ] as const) {
      const answer = await fetched(address);
      expect(answer.status).toBe(200);
      expect(await sharp(answer.body as Buffer).metadata()).toMatchObject({
        format: 'webp',
        width: side,
        height: side,
      });
    }
  });

  test('the metadata and place of the camera are removed', async () => {
    const { upload } = await someone();
    const original = await picture('jpeg', { exif: true });
    expect((await sharp(original).metadata()).exif?.toString('latin1')).toContain('Secret-Camera');
    const { body } = await upload(original);
    for (const address of Object.values<string>(body.data.thumbnails)) {
      const bytes = (await fetched(address)).body as Buffer;
      const { exif, xmp, iptc, icc } = await sharp(bytes).metadata();
      expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
      expect(bytes.toString('latin1')).not.toContain('Secret');
    }
  });

  test('of a polyglot only the picture is left', async () => {
    const { upload } = await someone();
    const evil = Buffer.from('<script>alert(1)</script>PK\u0003\u0004');
    const { status, body } = await upload(Buffer.concat([await picture('jpeg'), evil]));
    expect(status).toBe(200);
    const bytes = (await fetched(body.data.avatarUrl)).body as Buffer;
    expect(bytes.toString('latin1')).not.toContain('script');
  });

  test('a name that leads elsewhere leads nowhere', async () => {
    const { upload, kept } = await someone();
    const { status } = await upload(await picture('png'), '../../../../../etc/passwd', 'text/html');
    expect(status).toBe(200);
    expect((await kept()).map(({ name }) => name)).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
  });

  test('the picture before is removed, from the disk too', async () => {
    const { upload, kept } = await someone();
    const first = await upload(await picture('png'));
    const before = await blobFiles(world);
    const second = await upload(await picture('jpeg'));
    expect(await kept()).toHaveLength(2);
    expect(await blobFiles(world)).toBe(before);
    expect((await fetched(first.body.data.avatarUrl)).status).toBe(404);
    expect((await fetched(second.body.data.avatarUrl)).status).toBe(200);
    expect(await rows(world.db, 'SELECT name FROM discarded_blobs')).toEqual([]);
  });

  test('of several at once one remains, complete', async () => {
    const { upload, kept, me } = await someone();
    const bytes = await picture('png');
    const before = await blobFiles(world);
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(bytes)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const names = (await kept()).map(({ name }) => name);
    expect(names).toHaveLength(2);
    expect(names).toContain(pathOf((await me()).avatarUrl).slice('/media/'.length));
    expect(await blobFiles(world)).toBe(before + 2);
  });

  test('served so that nothing in it can run, and cacheable forever', async () => {
    const { upload } = await someone();
    const { body } = await upload(await picture('webp'));
    const { headers } = await fetched(body.data.avatarUrl);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });
});

describe('/media', () => {
  test.each(['x', '0'.repeat(64), '..%2f..%2fetc%2fpasswd', '%00', ''])('404 for %p', async (name) => {
    expect((await world.http.get(`/media/${name}`)).status).toBe(404);
  });

  test('a blob that is no public picture has no address', async () => {
    const { upload, kept } = await someone();
    const { body } = await upload(await picture('png'));
    await rows(world.db, 'DELETE FROM media WHERE name = $1 RETURNING name', [(await kept())[1]!.name]);
    const gone = [body.data.thumbnails.small, body.data.thumbnails.large].map(pathOf);
    const statuses = await Promise.all(gone.map(async (path) => (await world.http.get(path)).status));
    expect(statuses.sort()).toEqual([200, 404]);
  });
});
