import sharp from 'sharp';
import { request as httpRequest } from 'node:http';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { ownWorld } from '../../../support/worlds/world';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownIdentityServer } from '../../auth/identity-server';
import { bomb, picture } from '../pictures';
import { AVATAR, blobFiles, refused, sitter } from '../portrait';
import { StrictProfile } from '../account.shape';

const world = ownWorld({ worker: false });

const someone = () => sitter(world);

describe('POST /users/me/avatar', () => {
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
});

describe('POST /users/me/avatar refuses', () => {
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
        request.write(
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf',
          () => request.destroy(),
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
});

describe('PATCH /users/me/profile', () => {
  const server = ownIdentityServer();

  async function someone(options: Parameters<typeof make.user>[1] = {}) {
    const user = await make.user(server.db, options);
    const accessToken = await signIn(server, user);
    const patch = (body: object) =>
      server.http.patch('/api/v1/users/me/profile').auth(accessToken, { type: 'bearer' }).send(body);
    const me = async () =>
      (await server.http.get('/api/v1/users/me').auth(accessToken, { type: 'bearer' })).body.data;
    return { user, patch, me };
  }

  const whole = {
    firstName: 'Åse-Marie',
    lastName: 'O’Neil van Dyck',
    middleName: 'K',
    dateOfBirth: '1985-12-10',
    countryCode: 'DE',
    region: 'Berlin',
    city: 'Berlin',
    postalCode: '10117',
    addressLine1: 'Unter den Linden 1',
    language: 'de-DE',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
  };

  describe('200', () => {
    test('the current profile, also in the account', async () => {
      const { patch, me } = await someone();
      const { status, body } = await patch(whole);
      expect(status).toBe(200);
      expect(StrictProfile.parse(body.data)).toEqual({ ...whole, avatarUrl: null });
      expect((await me()).profile).toEqual(body.data);
    });

    test('what is left out stays, null clears, and language tags are normalised', async () => {
      const { patch } = await someone();
      await patch(whole);
      const { body } = await patch({ city: null, language: 'EN-gb', lastName: ' 李娜 ' });
      expect(body.data).toEqual({
        ...whole,
        avatarUrl: null,
        city: null,
        language: 'en-GB',
        lastName: '李娜',
      });
      expect((await patch({})).body.data).toEqual(body.data);
    });

    test('nothing else can be changed this way', async () => {
      const { user, patch } = await someone();
      const read = () => firstRow<object>(server.db, 'SELECT * FROM users WHERE id = $1', [user.id]);
      const before = await read();
      const { status } = await patch({
        email: 'thief@example.com',
        roles: ['SUPER_ADMIN'],
        status: 'BANNED',
        kycLevel: 'ENHANCED',
        kyc_level: 'ENHANCED',
        emailVerifiedAt: null,
        passwordHash: 'x',
        phone: '+4930901820',
        homeRegion: 'x',
      });
      expect(status).toBe(200);
      expect({ ...(await read()), updatedAt: null }).toEqual({ ...before, updatedAt: null });
    });

    test('avatarUrl: null removes the picture', async () => {
      const { user, patch, me } = await someone();
      await execute(server.db, `UPDATE users SET avatar_url = 'https://x.example/a' WHERE id = $1`, [
        user.id,
      ]);
      expect((await me()).profile.avatarUrl).toBe('https://x.example/a');
      expect((await patch({ avatarUrl: null })).body.data.avatarUrl).toBeNull();
    });

    test('the whole profile may be sent back, once it is verified too; the picture stays', async () => {
      const { user, patch, me } = await someone();
      await patch(whole);
      await execute(
        server.db,
        `UPDATE users SET avatar_url = 'https://x.example/a', kyc_level = 'STANDARD' WHERE id = $1`,
        [user.id],
      );
      const { profile } = await me();
      const { status, body } = await patch({ ...profile, city: 'Rome' });
      expect({ status, data: body.data }).toEqual({ status: 200, data: { ...profile, city: 'Rome' } });
    });
  });

  describe('400 VALIDATION_ERROR', () => {
    const next = `${new Date().getUTCFullYear() + 1}-01-01`;
    test.each([
      ['firstName', 'A'],
      ['firstName', 'Ada1'],
      ['firstName', null],
      ['lastName', 'Love--lace'],
      ['lastName', '<b>Ada</b>'],
      ['lastName', 'x'.repeat(101)],
      ['dateOfBirth', next],
      ['dateOfBirth', '1850-01-01'],
      ['dateOfBirth', '2001-02-30'],
      ['avatarUrl', 'https://watching.example/pixel.png'],
      ['countryCode', 'de'],
      ['city', ''],
      ['city', 'nul \u0000'],
      ['language', 'deutsch!'],
      ['language', 'x'],
      ['timezone', 'Mars/Olympus'],
      ['timezone', '+01:00'],
      ['currency', 'eur'],
      ['currency', 'ZZZ'],
    ])('%s: %j', async (field, value) => {
      const { patch } = await someone();
      const { status, body } = await patch({ [field]: value });
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(Object.keys(body.error.details)).toEqual([field]);
    });

    test.each(['STANDARD', 'ENHANCED'] as const)('names and birth once %s was verified', async (kycLevel) => {
      const { patch } = await someone({ kycLevel });
      const { status, body } = await patch({ firstName: 'Eve', dateOfBirth: '1990-01-01', city: 'Rome' });
      expect({ status, ...body.error }).toMatchObject({
        status: 400,
        reason: 'FIELD_VERIFIED',
        details: {
          firstName: ['is verified and cannot be changed'],
          dateOfBirth: ['is verified and cannot be changed'],
        },
      });
      const one = await patch({ firstName: 'Ada', lastName: 'Byron' });
      expect(Object.keys(one.body.error.details)).toEqual(['lastName']);
      expect((await patch({ city: 'Rome' })).body.data).toMatchObject({ firstName: 'Ada', city: 'Rome' });
    });
  });
});
