import pino from 'pino';
import sharp from 'sharp';
import { draw, TimedOut } from '../../../api/media/draw';
import { Pictures } from '../../../api/media/pictures';
import { typescriptArgv } from '../../support/run/typescript-argv';

const pictures = new Pictures(pino({ level: 'silent' }), typescriptArgv);
afterAll(() => pictures.close());

const small = () =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

test('a picture whose decoding times out is not called invalid', async () => {
  const picture = await small();
  jest.spyOn(sharp.prototype, 'toBuffer').mockRejectedValueOnce(new Error('timeout: 10% complete'));
  await expect(draw(picture, 'png', [{ side: 4, fit: 'inside' }])).rejects.toThrow(TimedOut);
});

test('a picture that is not drawn in time is to be sent again, and is not called invalid', async () => {
  const picture = await small();
  const drawn = () => pictures.draw(picture, [{ side: 4, fit: 'inside' }], new AbortController().signal);
  expect(await drawn()).toHaveLength(1);
  process.kill(pictures.pid!, 'SIGSTOP');
  await expect(drawn()).rejects.toMatchObject({ retryAfterSeconds: 10 });
  expect(await drawn()).toHaveLength(1);
});
