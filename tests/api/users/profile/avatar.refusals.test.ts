import { request as httpRequest } from 'node:http';
import { startWorld, type World } from '../../../support/worlds/world';
import { bomb, picture } from '../pictures';
import { AVATAR, blobFiles, refused, sitter } from '../portrait';

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: false });
});
afterAll(() => world.teardown());

const someone = () => sitter(world);

describe('400 INVALID_FILE_TYPE', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['SVG', () => svg],
    ['HTML that says it is a PNG', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['GIF', () => picture('gif')],
    ['nothing at all', () => Buffer.alloc(0)],
    ['a PNG signature and no picture', () => Buffer.from('89504e470d0a1a0a', 'hex')],
    ['a picture that ends too soon', async () => (await picture('jpeg')).subarray(0, 400)],
    ['too many pixels', () => bomb()],
    ['PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n')],
  ])('%s', async (_what, bytes) => {
    const { upload, kept, me } = await someone();
    const before = await blobFiles(world);
    expect(refused(await upload(await bytes(), 'me.png', 'image/png'))).toEqual([400, 'INVALID_FILE_TYPE']);
    expect(await kept()).toEqual([]);
    expect((await me()).avatarUrl).toBeNull();
    expect(await blobFiles(world)).toBe(before);
  });
});

test('413 FILE_TOO_LARGE over 5 MB', async () => {
  const { upload } = await someone();
  const most = 5 * 1024 * 1024;
  expect(refused(await upload(Buffer.alloc(most + 1, 1)))).toEqual([413, 'FILE_TOO_LARGE']);
  expect(refused(await upload(Buffer.alloc(most, 1)))).toEqual([400, 'INVALID_FILE_TYPE']);
});

describe('400 VALIDATION_ERROR', () => {
  test('no file, another field, or two files', async () => {
    const { post } = await someone();
    const bytes = await picture('png');
    const requests = [
      post().field('note', 'x'),
      post().attach('picture', bytes, 'me.png'),
      post().attach('file', bytes, 'me.png').attach('file', bytes, 'me.png'),
    ];
    for (const answer of await Promise.all(requests))
      expect(refused(answer)).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('no boundary, and a form that breaks off', async () => {
    const { post } = await someone();
    const open = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf of it';
    for (const [type, body] of [
      ['multipart/form-data', open],
      ['multipart/form-data; boundary=b', open],
      ['multipart/form-data; boundary=b', ''],
    ] as const)
      expect(refused(await post().set('Content-Type', type).send(body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('a caller who hangs up in the middle leaves nothing', async () => {
    const { token, kept } = await someone();
    const before = await blobFiles(world);
    await new Promise<void>((done) => {
      const request = httpRequest(`${world.url}${AVATAR}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': '100000',
        },
      });
      request.on('error', () => done());
      request.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf', () =>
        request.destroy(),
      );
      request.on('close', () => done());
    });
    expect((await world.http.get('/health/ready')).status).toBe(200);
    expect(await kept()).toEqual([]);
    expect(await blobFiles(world)).toBe(before);
  });
});

test('415 UNSUPPORTED_MEDIA_TYPE for JSON and bare bytes', async () => {
  const { post } = await someone();
  expect(refused(await post().send({ file: 'x' }))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  const bare = await post()
    .set('Content-Type', 'image/png')
    .send(await picture('png'));
  expect(refused(bare)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test('401 UNAUTHORIZED without a token, before the body is looked at', async () => {
  expect(refused(await world.http.post(AVATAR).send('x'))).toEqual([401, 'UNAUTHORIZED']);
});
