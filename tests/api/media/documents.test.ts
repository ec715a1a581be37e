import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import sharp from 'sharp';
import { Busy } from '../../../api/http/limits/gate';
import { createMedia } from '../../../api/media/media';
import { refusalIn } from '../../../workflows/errors';
import { typescriptArgv } from '../../support/run/typescript-argv';
import { bomb, picture } from '../users/pictures';

const { documents, close } = createMedia({ log: pino({ level: 'silent' }), execArgv: typescriptArgv });
afterAll(() => close());

const prepare = (bytes: Buffer, signal = new AbortController().signal) =>
  documents.forRequest(randomUUID(), () => undefined).prepare(bytes, signal);

/** The refusal of a file. */
const refused = async (bytes: Buffer) =>
  prepare(bytes).then(
    () => null,
    (error: unknown) => {
      const { code, details } = refusalIn(error) ?? {};
      return { code, why: details?.['file'] };
    },
  );
const invalid = { code: 'INVALID_FILE_TYPE', why: [expect.any(String)] };

describe('pictures', () => {
  test.each(['jpeg', 'png'] as const)('a %s keeps its size, and gets a thumbnail', async (format) => {
    const { content, contentType, thumbnail } = await prepare(
      await picture(format, { width: 3000, height: 2000 }),
    );
    expect(contentType).toBe(`image/${format}`);
    expect(await sharp(content).metadata()).toMatchObject({ format, width: 3000, height: 2000 });
    expect(await sharp(thumbnail!).metadata()).toMatchObject({ format: 'webp', width: 400, height: 267 });
  });

  test('it is upright and has no metadata, no profile and nothing behind its end', async () => {
    const tagged = await sharp(await picture('jpeg', { width: 300, height: 200, exif: true }))
      .keepMetadata()
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(tagged.toString('latin1')).toContain('Secret-Camera');
    const { content } = await prepare(
      Buffer.concat([tagged, Buffer.from('<script>alert(1)</script>PK\u0003\u0004')]),
    );
    const { width, height, exif, xmp, iptc, icc, orientation } = await sharp(content).metadata();
    expect([width, height]).toEqual([200, 300]);
    expect([exif, xmp, iptc, icc, orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(content.toString('latin1')).not.toMatch(/Secret|script|PK/);
  });

  test('transparency of a PNG is kept', async () => {
    const clear = sharp({
      create: { width: 50, height: 50, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } },
    });
    const { content } = await prepare(await clear.png().toBuffer());
    expect((await sharp(content).metadata()).hasAlpha).toBe(true);
  });

  test('a larger one is drawn within 5,000 pixels', async () => {
    const { content } = await prepare(await picture('jpeg', { width: 8000, height: 6000 }));
    expect(await sharp(content).metadata()).toMatchObject({ width: 5000, height: 3750 });
  });

  test('a PNG that would take more than 10 MiB is kept as a JPEG', async () => {
    const [width, height] = [2_200, 1_700];
    const noise = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
    const { content, contentType } = await prepare(await noise.png().toBuffer());
    expect(contentType).toBe('image/jpeg');
    expect(await sharp(content).metadata()).toMatchObject({ format: 'jpeg', width, height });
    expect(content.length).toBeLessThan(10 * 1024 * 1024);
  });
});

describe('INVALID_FILE_TYPE', () => {
  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['an empty file', () => Buffer.alloc(0)],
    ['a WebP', () => picture('webp')],
    ['a GIF', () => picture('gif')],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a program', () => Buffer.from('#!/bin/sh\nrm -rf /\n')],
    [
      'a PNG before HTML',
      async () => Buffer.concat([(await picture('png')).subarray(0, 60), Buffer.from('<html>')]),
    ],
    ['a truncated JPEG', async () => (await noisy('jpeg')).subarray(0, 20_000)],
    ['a truncated PNG', async () => (await noisy('png')).subarray(0, 20_000)],
    ['a bomb', bomb],
  ])('%s', async (_what, made) => {
    expect(await refused(await made())).toEqual(invalid);
  });

  const noisy = (format: 'jpeg' | 'png') =>
    sharp(randomBytes(200 * 200 * 3), { raw: { width: 200, height: 200, channels: 3 } })
      .toFormat(format)
      .toBuffer();
});

describe('the queue', () => {
  test('nothing is decoded for a client that is gone', async () => {
    await expect(prepare(await picture('png'), AbortSignal.abort())).rejects.toThrow(Busy);
  });

  test('a few files wait, more are to be sent again, and all that waited are prepared', async () => {
    const bytes = await picture('jpeg', { width: 2000, height: 1500 });
    const results = await Promise.allSettled(Array.from({ length: 14 }, () => prepare(bytes)));
    const rejected = results.filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(14 - 9);
    for (const { reason } of rejected as PromiseRejectedResult[]) expect(reason).toBeInstanceOf(Busy);
  });
});
