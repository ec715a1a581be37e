import express from 'express';
import { once } from 'node:events';
import { connect } from 'node:net';
import { sendStream, withFirstChunk } from '../../../api/http/answer/files/text-stream';
import { serve } from '../../../api/http/serve';

test.each([
  ['stops reading', true, { stalledMs: 300 }, {}],
  ['reads for too long', false, { longestMs: 300 }, {}],
  ['reads for longer than this answer may take', false, {}, { longestMs: 300 }],
])('a caller who %s loses the connection, and no further chunk is made', async (_, pauses, limits, own) => {
  let made = 0;
  async function* endless(): AsyncGenerator<string> {
    for (;;) {
      made++;
      yield await Promise.resolve('x'.repeat(64 * 1024));
    }
  }
  const ended = jest.fn();
  const sending = new Promise<unknown>((resolve) => {
    const app = express().get('/', async (_req, res) => {
      const chunks = await withFirstChunk(
        (async function* () {
          try {
            yield* endless();
          } finally {
            ended();
          }
        })(),
      );
      await sendStream(res, { status: 200, type: 'text/csv', chunks, ...own }, limits).catch(resolve);
    });
    void serve(app, 0).then(async (serving) => {
      const socket = connect(serving.port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      if (pauses) socket.pause();
      else socket.resume();
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      void sending.then(() => {
        socket.destroy();
        return serving.drain(0);
      });
    });
  });
  expect(await sending).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  expect(ended).toHaveBeenCalledTimes(1);
  const then = made;
  await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBe(then);
});
