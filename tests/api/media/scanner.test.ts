import type { Socket } from 'node:net';
import pino from 'pino';
import request from 'supertest';
import { z } from 'zod';
import { ScannerUnavailable } from '../../../api/http/body/document-preparer';
import { endpoint } from '../../../api/http/endpoint';
import { perMinute } from '../../../api/http/limits/limits';
import { Busy } from '../../../api/http/limits/gate';
import { createMedia } from '../../../api/media/media';
import { Clamav } from '../../../api/media/scanner/clamav';
import { requireScannerAddress, ScannerConfig, scannerOf } from '../../../api/media/scanner/config';
import { fakeClamd, type FakeClamd } from '../../support/servers/fake-clamd';
import { typescriptArgv } from '../../support/run/typescript-argv';
import { ownDatabase } from '../../support/servers/database';
import { serverOf } from '../http/shop';
import { picture } from '../users/pictures';
import { unnamed } from '../http/unnamed';

let clamd: FakeClamd | undefined;
afterEach(async () => {
  await clamd?.close();
  clamd = undefined;
});

const staying = () => new AbortController().signal;
const scan = (bytes: Buffer, mostMs = 20_000, signal = staying()) =>
  new Clamav(clamd!, mostMs).findVirus(bytes, signal);
const saying = (answer: string) => fakeClamd((socket) => void socket.end(answer));

describe('clamd', () => {
  test('gets every byte, and a clean file has no virus', async () => {
    clamd = await saying('stream: OK\0');
    const bytes = Buffer.alloc(3_000_000, 'x');
    expect(await scan(bytes)).toBeNull();
    expect(clamd.files.map((file) => file.equals(bytes))).toEqual([true]);
  });

  test('names the virus that it found', async () => {
    clamd = await saying('stream: Win.Test.EICAR_HDB-1 FOUND\0');
    expect(await scan(Buffer.from('evil'))).toBe('Win.Test.EICAR_HDB-1');
  });

  test.each<[string, string]>([
    ['an error', "stream: Can't allocate memory ERROR\0"],
    ['its limit', 'INSTREAM size limit exceeded. ERROR\0'],
    ['another protocol', 'HTTP/1.1 200 OK\r\n\r\nstream: OK\0'],
    ['half an answer', 'stream: OK'],
    ['two answers', 'stream: OK\0stream: OK\0'],
    ['nothing', ''],
    ['without an end', 'stream: OK'.repeat(10_000)],
  ])('that answers %s gives no result', async (_what, answer) => {
    clamd = await saying(answer);
    await expect(scan(Buffer.from('file'))).rejects.toThrow(ScannerUnavailable);
  });

  test('that hangs gives no result in its time', async () => {
    clamd = await fakeClamd(() => undefined);
    await expect(scan(Buffer.from('file'), 200)).rejects.toThrow(ScannerUnavailable);
  });

  test('that trickles gives no result in its time', async () => {
    const trickle = (socket: Socket) => {
      const timer = setInterval(() => socket.write('s'), 20);
      socket.on('close', () => clearInterval(timer));
    };
    clamd = await fakeClamd(trickle);
    await expect(scan(Buffer.from('file'), 300)).rejects.toThrow(ScannerUnavailable);
  });

  test('that closes midway gives no result', async () => {
    clamd = await fakeClamd(
      () => undefined,
      (socket) => void socket.once('data', () => socket.destroy()),
    );
    await expect(scan(Buffer.alloc(20_000_000))).rejects.toThrow(ScannerUnavailable);
  });

  test('that has a smaller limit gives no result', async () => {
    const refuse = (socket: Socket) =>
      void socket.once('data', () => socket.end('INSTREAM size limit exceeded. ERROR\0'));
    clamd = await fakeClamd(() => undefined, refuse);
    await expect(scan(Buffer.alloc(20_000_000))).rejects.toThrow(ScannerUnavailable);
  });

  test('that is away gives no result', async () => {
    clamd = await saying('stream: OK\0');
    const { host, port } = clamd;
    await clamd.close();
    clamd = undefined;
    await expect(new Clamav({ host, port }).findVirus(Buffer.from('file'), staying())).rejects.toThrow(
      ScannerUnavailable,
    );
  });

  test('is left when the client hangs up', async () => {
    const client = new AbortController();
    clamd = await fakeClamd(() => client.abort());
    await expect(scan(Buffer.from('file'), 2_000, client.signal)).rejects.toThrow(Busy);
    await expect(scan(Buffer.from('file'), 2_000, client.signal)).rejects.toThrow(Busy);
  });
});

describe('settings', () => {
  const read = (variables: Record<string, string>) => ScannerConfig.parse(variables);

  test('no scanner is the default', () => {
    expect(scannerOf(read({}))).toBeUndefined();
  });

  test.each([
    ['clamav:3310', { host: 'clamav', port: 3310 }],
    ['[::1]:3310', { host: '::1', port: 3310 }],
    ['/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
  ])('%s is an address', (text, address) => {
    const config = read({ VIRUS_SCANNER: 'clamav', CLAMAV_ADDRESS: text });
    expect(config.CLAMAV_ADDRESS).toEqual(address);
    expect(scannerOf(config)).toBeInstanceOf(Clamav);
  });

  test.each(['clamav', 'clamav:0', 'clamav:70000', 'http://clamav:3310'])('%s is none', (text) => {
    expect(() => read({ CLAMAV_ADDRESS: text })).toThrow('must be host:port, or the path of a socket');
  });

  test('a scanner without an address stops the start', () => {
    expect(() => requireScannerAddress(read({ VIRUS_SCANNER: 'clamav' }))).toThrow(
      'VIRUS_SCANNER is clamav, so CLAMAV_ADDRESS must be set.',
    );
  });
});

describe('an upload', () => {
  const database = ownDatabase();
  const upload = endpoint({
    method: 'post',
    path: '/things',
    ...unnamed,
    auth: 'public',
    limit: perMinute(1_000),
    idempotent: false,
    upload: { field: 'file', maxBytes: 10 * 1024 * 1024 },
    success: 200,
    data: z.object({ contentType: z.string() }),
    errors: { INVALID_FILE_TYPE: 400, FILE_TOO_LARGE: 413 },
    handle: (_input, { documents, request: { file, clientGone } }) => documents.prepare(file, clientGone),
  });

  /** The answer to an upload, the lines of the log and the results that were counted. */
  async function uploaded() {
    const lines: string[] = [];
    const counted: string[] = [];
    const media = createMedia({
      log: pino({}, { write: (line: string) => void lines.push(line) }),
      execArgv: typescriptArgv,
      scanner: new Clamav(clamd!, 1_000),
      countScan: (result) => counted.push(result),
    });
    const app = serverOf({ db: database.db, endpoints: [upload], lines, documents: media.documents });
    const { status, body } = await request(app)
      .post('/api/v1/things')
      .attach('file', await picture('png'), 'a.png');
    await media.close();
    return { status, error: body.error, data: body.data, lines, counted };
  }

  test('that is clean is prepared', async () => {
    clamd = await saying('stream: OK\0');
    expect(await uploaded()).toMatchObject({
      status: 200,
      data: { contentType: 'image/png' },
      counted: ['clean'],
    });
  });

  test('with a virus is refused and recorded', async () => {
    clamd = await saying('stream: Eicar-Signature FOUND\0');
    const { status, error, lines, counted } = await uploaded();
    expect(status).toBe(400);
    expect(error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'The file contains a virus.',
      reason: 'FILE_INFECTED',
      details: { file: ['contains a virus'] },
    });
    expect(counted).toEqual(['infected']);
    const events = lines
      .map((line) => JSON.parse(line) as Record<string, object>)
      .filter(({ security }) => security);
    expect(events).toMatchObject([{ security: { event: 'infected-file', outcome: 'failure' } }]);
    expect(lines.some((line) => line.includes('Eicar-Signature'))).toBe(true);
  });

  test('that was not looked at is not accepted', async () => {
    clamd = await saying('');
    const { status, error, lines, counted } = await uploaded();
    expect([status, error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(counted).toEqual(['unavailable']);
    expect(lines.some((line) => line.includes('the virus scanner gave no result'))).toBe(true);
  });
});
