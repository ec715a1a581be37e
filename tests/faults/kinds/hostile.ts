import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { v7 } from 'uuid';
import { sendOnce } from '../requests/client';
import type { Fault, FaultContext } from '../fault';
import { report } from '../requests/webhook';

const FLOOD_AT_ONCE = 24;
const FLOOD_MS = 6_000;
const STALLED = 60;
const STALLED_MS = 12_000;

/** Unsigned reports arrive as fast as they are answered; the provider's reports are accepted all the same. */
const unsignedFlood: Fault = {
  name: 'a flood of unsigned webhooks',
  journeys: { pays: 60, paysTwice: 20 },
  async inject({ stack }) {
    const until = Date.now() + FLOOD_MS;
    const send = async (): Promise<void> => {
      while (Date.now() < until) {
        const { status } = await report(stack.frontPort, v7(), '{"type":"payment.paid"}', { signed: false });
        if (status !== 401 && status !== 429) throw new Error(`an unsigned report was answered ${status}`);
      }
    };
    await Promise.all(Array.from({ length: FLOOD_AT_ONCE }, send));
  },
};

/** A picture of 7000 x 7000 that a decoder has to hold whole; it travels in a few hundred kilobytes. */
const hostilePicture = (): Promise<Buffer> =>
  sharp({ create: { width: 7_000, height: 7_000, channels: 4, background: '#123456' } })
    .png({ progressive: true })
    .toBuffer();

const uploadBody = (file: Buffer): { body: Buffer; type: string } => {
  const boundary = 'picture-of-a-fault';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="p.png"\r\ncontent-type: image/png\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
};

/** Several users send it at once; it is refused, drawn or put off, and nobody else is affected. */
const badPicture: Fault = {
  name: 'a picture that no memory holds',
  async inject({ stack, people }) {
    const { body, type } = uploadBody(await hostilePicture());
    const answers = await Promise.all(
      people.buyers.slice(0, 8).map(({ token }) =>
        sendOnce(stack.frontPort, {
          method: 'POST',
          path: '/api/v1/users/me/avatar',
          body,
          headers: { authorization: `Bearer ${token}`, 'content-type': type },
        }),
      ),
    );
    const strange = answers.filter(({ status }) => ![200, 400, 413, 429, 503].includes(status));
    if (strange.length > 0) throw new Error(`a picture was answered ${strange[0]!.status}`);
  },
};

/** An upload that is announced and never sent. */
function stalledUpload({ stack, people, random }: FaultContext): Socket {
  const socket = connect(stack.frontPort, '127.0.0.1');
  socket.on('error', () => undefined);
  const { token } = random.pick(people.buyers);
  socket.write(
    'POST /api/v1/users/me/avatar HTTP/1.1\r\nhost: stalled\r\n' +
      `authorization: Bearer ${token}\r\n` +
      'content-type: multipart/form-data; boundary=stalled\r\ncontent-length: 5000000\r\n\r\n' +
      '--stalled\r\ncontent-disposition: form-data; name="file"; filename="p.png"\r\n\r\n',
  );
  return socket;
}

const stalledUploads: Fault = {
  name: 'uploads that are announced and do not come',
  async inject(context) {
    const sockets = Array.from({ length: STALLED }, () => stalledUpload(context));
    await Promise.race([context.load, pause(STALLED_MS)]);
    for (const socket of sockets) socket.destroy();
  },
};

/** Attacks on availability. */
export const hostile: readonly Fault[] = [unsignedFlood, badPicture, stalledUploads];
