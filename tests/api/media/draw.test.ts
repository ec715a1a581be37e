import sharp from 'sharp';
import pino from 'pino';
import type { Drawing } from '../../../api/http/body/picture-drawer';
import { draw, TimedOut, Unacceptable } from '../../../api/media/draw';
import { createMedia } from '../../../api/media/media';
import { fastest } from '../../support/cost/fastest';
import { interlacedPng } from '../../support/fakes/adam7';
import { typescriptArgv } from '../../support/run/typescript-argv';

const inside: Drawing = { side: 60, fit: 'inside' };
const square: Drawing = { side: 40, fit: 'square' };

/** A picture whose four corners differ, so that every turn shows. */
async function corners(width: number, height: number): Promise<Buffer> {
  const patch = (red: number, green: number, blue: number) => ({
    create: {
      width: width / 2,
      height: height / 2,
      channels: 3 as const,
      background: { r: red, g: green, b: blue },
    },
  });
  return sharp({ create: { width, height, channels: 3, background: 'white' } })
    .composite([
      { input: patch(255, 0, 0), left: 0, top: 0 },
      { input: patch(0, 255, 0), left: width / 2, top: 0 },
      { input: patch(0, 0, 255), left: 0, top: height / 2 },
    ])
    .png()
    .toBuffer();
}

/** The colours of the corners, a little inside, rounded to what compression leaves of them. */
async function cornersOf(bytes: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(start, start + 3)].map((value) => Math.round(value / 128));
  };
  return [at(0.2, 0.2), at(0.8, 0.2), at(0.2, 0.8), at(0.8, 0.8)];
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('a picture of orientation %d is drawn upright', async (orientation) => {
  const picture = await sharp(await corners(240, 120))
    .jpeg({ quality: 95 })
    .withMetadata({ orientation })
    .toBuffer();
  const upright = await sharp(picture).autoOrient().png().toBuffer();
  const [fitted, cut] = await draw(picture, 'jpeg', [inside, square]);
  const isTurned = orientation > 4;
  expect([fitted?.width, fitted?.height]).toEqual(isTurned ? [30, 60] : [60, 30]);
  expect([cut?.width, cut?.height]).toEqual([40, 40]);
  expect(await cornersOf(fitted!.bytes)).toEqual(await cornersOf(upright));
  expect(await cornersOf(cut!.bytes)).toEqual(await cornersOf(upright));
});

test.each<[string, (from: sharp.Sharp) => sharp.Sharp]>([
  ['16 bits a sample', (from) => from.toColourspace('rgb16').png()],
  ['a palette', (from) => from.png({ palette: true })],
  ['lines in seven passes', (from) => from.png({ progressive: true })],
  ['transparency', (from) => from.ensureAlpha().png()],
])('a PNG with %s keeps its colours', async (_what, made) => {
  const source = await corners(200, 200);
  const picture = await made(sharp(source)).toBuffer();
  const [cut] = await draw(picture, 'png', [square]);
  expect(await cornersOf(cut!.bytes)).toEqual(await cornersOf(source));
});

test('a CMYK and a grey JPEG are drawn', async () => {
  const source = sharp(await corners(200, 200));
  for (const space of ['cmyk', 'b-w'] as const) {
    const [cut] = await draw(await source.clone().toColourspace(space).jpeg().toBuffer(), 'jpeg', [square]);
    expect(await sharp(cut?.bytes).metadata()).toMatchObject({ width: 40, height: 40, space: 'srgb' });
  }
});

test('nothing is enlarged to fit inside', async () => {
  const [fitted] = await draw(await corners(20, 10), 'png', [inside]);
  expect([fitted?.width, fitted?.height]).toEqual([20, 10]);
});

describe('refused before a pixel is decoded', () => {
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'red' } });
  test.each<[string, 'jpeg' | 'png' | 'webp', () => Promise<Buffer>]>([
    ['an interlaced PNG of 196 MB', 'png', () => interlacedPng(7000, 8)],
    ['an interlaced PNG of 162 MB with 16 bits', 'png', () => interlacedPng(4500, 16)],
    [
      'a progressive JPEG of 120 MB',
      'jpeg',
      () => plain(4500, 4500).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    ],
    ['a WebP of 130 MB', 'webp', () => plain(4100, 4100).webp({ effort: 0 }).toBuffer()],
    ['a strip that stays large', 'png', () => plain(80_000, 390).png().toBuffer()],
  ])('%s', async (_what, format, made) => {
    const bytes = await made();
    const drawn = () => draw(bytes, format, [{ side: 400, fit: 'square' }]);
    await expect(drawn()).rejects.toThrow(Unacceptable);
    const decodingMs = await fastest(() => sharp(bytes, { limitInputPixels: false }).raw().toBuffer(), 1);
    expect(await fastest(() => drawn().catch(() => undefined))).toBeLessThan(decodingMs / 3);
  });

  test('another format than it is said to be', async () => {
    const bytes = await plain(10, 10).jpeg().toBuffer();
    await expect(draw(bytes, 'png', [{ side: 400, fit: 'square' }])).rejects.toThrow(Unacceptable);
  });
});

describe('slow pictures', () => {
  const log = pino({ level: 'silent' });
  const { pictures, decoders, close } = createMedia({ log, execArgv: typescriptArgv });
  afterAll(() => close());

  const small = () =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer();

  /** Until it is restored, the limit of a job expires after 0.1 s in place of its 12 s. */
  const shortenJobs = () => {
    const { setTimeout: start } = globalThis;
    return jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((act: () => void, ms?: number) => start(act, ms === 12_000 ? 100 : ms));
  };

  test('a picture whose decoding times out is not called invalid', async () => {
    const picture = await small();
    jest.spyOn(sharp.prototype, 'toBuffer').mockRejectedValueOnce(new Error('timeout: 10% complete'));
    await expect(draw(picture, 'png', [{ side: 4, fit: 'inside' }])).rejects.toThrow(TimedOut);
  });

  test('a picture that is not drawn in time is to be sent again, and is not called invalid', async () => {
    const picture = await small();
    const drawn = () => pictures.draw(picture, [{ side: 4, fit: 'inside' }], new AbortController().signal);
    expect(await drawn()).toHaveLength(1);
    process.kill(decoders.pictures.pid!, 'SIGSTOP');
    const shortened = shortenJobs();
    await expect(drawn()).rejects.toMatchObject({ retryAfterSeconds: 10 });
    shortened.mockRestore();
    expect(await drawn()).toHaveLength(1);
  });
});
