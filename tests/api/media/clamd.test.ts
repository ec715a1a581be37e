import { PDFDocument } from '@cantoo/pdf-lib';
import { deflateRawSync } from 'node:zlib';
import { crc32 } from 'node:zlib';
import { ScannerUnavailable } from '../../../api/http/body/document-preparer';
import { Clamav } from '../../../api/media/scanner/clamav';
import { onePage, stream } from '../../support/fakes/pdf-files';
import { EICAR, startClamd, type Clamd } from '../../support/servers/clamd';
import { picture } from '../users/pictures';

let clamd: Clamd;
beforeAll(async () => {
  clamd = await startClamd();
});
afterAll(() => clamd.stop());

const scan = (bytes: Buffer) =>
  new Clamav({ host: '127.0.0.1', port: clamd.port }).findVirus(bytes, new AbortController().signal);

test.each<[string, () => Buffer | Promise<Buffer>]>([
  ['as it is', () => EICAR],
  ['in the stream of a PDF', () => onePage({ more: [stream(EICAR.toString('latin1'))] })],
  ['attached to a PDF, compressed', attached],
  ['in a ZIP archive', () => zipOf('eicar.com', EICAR)],
])('the test virus is found %s', async (_where, made) => {
  expect(await scan(await made())).toMatch(/^Eicar-(Signature|File)\.UNOFFICIAL$/);
});

test.each<[string, () => Buffer | Promise<Buffer>]>([
  ['a PDF', () => onePage()],
  ['a picture', () => picture('jpeg')],
  ['a file of 10 MiB', () => Buffer.alloc(10 * 1024 * 1024, 'x')],
])('%s is clean', async (_what, made) => {
  expect(await scan(await made())).toBeNull();
});

test('a file beyond its limit gets no result', async () => {
  await expect(scan(Buffer.alloc(13 * 1024 * 1024, 'x'))).rejects.toThrow(ScannerUnavailable);
});

test('its socket answers as its port does', async () => {
  const scanner = new Clamav({ path: clamd.socket });
  expect(await scanner.findVirus(EICAR, new AbortController().signal)).toContain('Eicar');
});

async function attached(): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage();
  await document.attach(EICAR, 'eicar.com');
  return Buffer.from(await document.save());
}

/** An archive of one compressed file. */
function zipOf(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(8, 4);
  facts.writeUInt32LE(crc32(content), 10);
  facts.writeUInt32LE(packed.length, 14);
  facts.writeUInt32LE(content.length, 18);
  facts.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, Buffer.from(name), packed]);
  const rest = Buffer.alloc(14);
  const entry = Buffer.concat([
    Buffer.from('PK\u0001\u0002'),
    Buffer.from([20, 0]),
    facts,
    rest,
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}
