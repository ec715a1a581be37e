import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import pino from 'pino';
import sharp from 'sharp';
import { randomUUID } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { DocumentTooHard } from '../../../api/http/body/document-preparer';
import { createMedia } from '../../../api/media/media';
import { refusalIn } from '../../../workflows/errors';
import { fastest } from '../../support/cost/fastest';
import { onePage, pages, pdfOf, stream } from '../../support/fakes/pdf-files';
import { typescriptArgv } from '../../support/run/typescript-argv';

const { documents, close } = createMedia({ log: pino({ level: 'silent' }), execArgv: typescriptArgv });
afterAll(() => close());

const prepare = (bytes: Buffer) =>
  documents.forRequest(randomUUID(), () => undefined).prepare(bytes, new AbortController().signal);

/** Why a file is refused; null if it is accepted. */
const refusal = async (bytes: Buffer) =>
  prepare(bytes).then(
    () => null,
    (error: unknown) => {
      const { code, details } = refusalIn(error instanceof DocumentTooHard ? error.refusal : error) ?? {};
      return code === 'INVALID_FILE_TYPE' ? (details?.['file'] as string[])[0] : code;
    },
  );

/** A PDF as office programs make them: compressed, with a font, and its objects in object streams. */
async function letter(count = 1): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let page = 0; page < count; page++)
    document.addPage([595, 842]).drawText('The bank confirms this address.', { x: 50, y: 700, font });
  return document;
}
const saved = async (document: PDFDocument, useObjectStreams = true) =>
  Buffer.from(await document.save({ useObjectStreams }));

describe('accepted, byte for byte', () => {
  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['a simple page', () => onePage()],
    ['one that opens at a page', () => onePage({ catalog: '/OpenAction [3 0 R /Fit]' })],
    [
      'one with a link',
      () =>
        onePage({
          page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://example.com) >> >>]',
        }),
    ],
    [
      'one with a link whose action is another object',
      () =>
        onePage({
          page: '/Annots [5 0 R]',
          more: [
            '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /F 4 /A 6 0 R >>',
            '<< /S /URI /URI (https://example.com) >>',
          ],
        }),
    ],
    ['20 pages', () => pages(20)],
    ['a letter', async () => saved(await letter())],
    ['a letter without object streams', async () => saved(await letter(), false)],
    ['a letter with a later change', async () => changed(await saved(await letter(), false))],
    ['a scan of several megabytes', scan],
  ])('%s', async (_what, made) => {
    const bytes = await made();
    const { content, contentType, thumbnail } = await prepare(bytes);
    expect(content.equals(bytes)).toBe(true);
    expect(contentType).toBe('application/pdf');
    expect(await sharp(thumbnail!).metadata()).toMatchObject({ format: 'webp', width: 283, height: 400 });
  });

  test('the thumbnail shows the first page', async () => {
    const { thumbnail } = await prepare(onePage());
    const { data, info } = await sharp(thumbnail!).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [
      ...data.subarray((y * info.width + x) * info.channels).subarray(0, 3),
    ];
    expect(at(60, 330)).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
    expect(at(60, 330)[0]).toBeGreaterThan(230);
    expect(at(60, 330)[1]).toBeLessThan(30);
    expect(at(200, 50)).toEqual([255, 255, 255]);
  });

  /** The file with an incremental update that replaces an object. */
  async function changed(bytes: Buffer): Promise<Buffer> {
    const document = await PDFDocument.load(bytes, { forIncrementalUpdate: true });
    document.getPage(0).drawRectangle({ x: 10, y: 10, width: 5, height: 5 });
    return Buffer.from(await document.save());
  }

  async function scan(): Promise<Buffer> {
    const document = await PDFDocument.create();
    const noise = sharp({
      create: {
        width: 2480,
        height: 3508,
        channels: 3,
        background: 'grey',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    });
    const image = await document.embedJpg(await noise.jpeg({ quality: 90 }).toBuffer());
    document.addPage([595, 842]).drawImage(image, { width: 595, height: 842 });
    return saved(document);
  }
});

describe('refused', () => {
  const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';
  const annotation = (action: string) =>
    `/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A ${action} >>]`;
  const packed = (objects: readonly string[], dictionary = '/Type /ObjStm') => {
    const heads: string[] = [];
    let body = '';
    objects.forEach((object, index) => {
      heads.push(`${index + 20} ${body.length}`);
      body += `${object} `;
    });
    const head = `${heads.join(' ')} `;
    const bytes = deflateSync(Buffer.from(head + body, 'latin1')).toString('latin1');
    return stream(bytes, `${dictionary} /N ${objects.length} /First ${head.length} /Filter /FlateDecode`);
  };
  const active = /scripts, attached files, media or actions/;
  const hidden = /hidden parts/;
  const outward = /outside of it/;

  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['a script when it is opened', () => onePage({ catalog: `/OpenAction ${SCRIPT}` }), active],
    ['a script in another object', () => onePage({ catalog: '/OpenAction 5 0 R', more: [SCRIPT] }), active],
    [
      'a script among the names',
      () => onePage({ catalog: `/Names << /JavaScript << /Names [(a) 5 0 R] >> >>`, more: [SCRIPT] }),
      active,
    ],
    [
      'a script with an escaped name',
      () => onePage({ catalog: '/OpenAction << /S /J#61vaScript /J#53 (1) >>' }),
      active,
    ],
    [
      'a script in an object stream',
      () => onePage({ catalog: '/OpenAction 20 0 R', more: [packed([SCRIPT])] }),
      active,
    ],
    ['a key of a script only', () => onePage({ more: [packed(['<< /JS (1) >>'])] }), active],
    ['a program', () => onePage({ page: annotation('<< /S /Launch /F (cmd.exe) >>') }), active],
    [
      'a program twice named',
      () => onePage({ page: annotation('<< /S /Launch /S /GoTo /F (cmd.exe) >>') }),
      active,
    ],
    ['actions of a page', () => onePage({ page: '/AA << /O 5 0 R >>', more: ['<< /S /Named >>'] }), active],
    [
      'an address to open',
      () => onePage({ catalog: '/OpenAction << /S /URI /URI (https://example.com) >>' }),
      active,
    ],
    [
      'an action elsewhere to open',
      () => onePage({ catalog: '/OpenAction 5 0 R', more: ['<< /S /GoTo >>'] }),
      active,
    ],
    [
      'a form that is sent',
      () => onePage({ page: annotation('<< /S /SubmitForm /F (https://example.com) >>') }),
      active,
    ],
    ['a form that is filled', () => onePage({ page: annotation('<< /S /ImportData /F (a.fdf) >>') }), active],
    [
      'a form of XML',
      () => onePage({ catalog: '/AcroForm << /XFA 5 0 R >>', more: [stream('<xdp/>')] }),
      active,
    ],
    ['another file to go to', () => onePage({ page: annotation('<< /S /GoToR /F (b.pdf) >>') }), active],
    [
      'media',
      () => onePage({ page: '/Annots [<< /Type /Annot /Subtype /RichMedia /Rect [0 0 9 9] >>]' }),
      active,
    ],
    ['an attached file', attached, active],
    [
      'an attached file without a type',
      () => onePage({ more: ['<< /Type /Filespec /F (a.exe) /EF << /F 6 0 R >> >>', stream('MZ')] }),
      active,
    ],
    ...[
      '/F (\\\\evil\\share\\x.jpg) /FFilter /DCTDecode',
      '/FDecodeParms << >>',
      '/OPI << /2.0 << >> >>',
    ].map(
      (keys) =>
        [`a stream with ${keys}`, () => onePage({ more: [stream('', keys)] }), outward] as [
          string,
          () => Buffer,
          RegExp,
        ],
    ),
    [
      'a form of another file',
      () => onePage({ more: [stream('', '/Subtype /Form /Ref << /F (b.pdf) /Page 0 >>')] }),
      outward,
    ],
    [
      'an address of a bookmark',
      () => onePage({ more: ['<< /Title (a) /A << /S /URI /URI (https://example.com) >> >>'] }),
      outward,
    ],
    [
      'an address of a bookmark in another object, which a link has too',
      () =>
        onePage({
          page: annotation('6 0 R'),
          more: ['<< /Title (a) /A 6 0 R >>', '<< /S /URI /URI (https://example.com) >>'],
        }),
      outward,
    ],
    [
      'an address after another action',
      () => onePage({ page: annotation('<< /S /GoTo /D [3 0 R /Fit] /Next << /S /URI /URI (a) >> >>') }),
      outward,
    ],
    [
      'an address whose kind is another object',
      () => onePage({ more: ['<< /A << /S 6 0 R /URI (a) >> >>', '/URI'] }),
      outward,
    ],
    ['a password', encrypted, /encrypted/],
    ['21 pages', () => pages(21), /more than 20 pages/],
    ['no pages', () => pages(0), /has no pages|cannot be read/],
    ['an end that is missing', () => onePage().subarray(0, -30), /not complete/],
    ['a half', async () => halfOf(await saved(await letter())), /not complete/],
    [
      'something behind its end',
      () => Buffer.concat([onePage(), Buffer.from('<script>alert(1)</script>')]),
      /follows its end/,
    ],
    [
      'something before its beginning',
      () => Buffer.concat([Buffer.from('MZ'), onePage()]),
      /not a JPEG, PNG or PDF/,
    ],
    ['an archive, too', () => onePage({ more: [stream('PK\u0005\u0006\u0000\u0000')] }), /archive/],
    ['an object inside of a stream', () => onePage({ more: [stream('9 0 obj << /A 1 >> endobj')] }), hidden],
    ['an object in a comment', () => onePage({ more: ['<< >>\n%9 0 obj << /A 1 >> endobj\n'] }), hidden],
    ['an object stream without its type', () => onePage({ more: [packed(['<< /JS (1) >>'], '')] }), hidden],
    [
      'an object stream whose type comes later',
      () => onePage({ more: [packed(['<< /JS (1) >>'], '/Type 6 0 R'), '/ObjStm'] }),
      hidden,
    ],
    ['an older object with a script', () => replaced(SCRIPT), active],
    ['nothing but a header', () => Buffer.from('%PDF-1.7\n%%EOF\n'), /cannot be read|has no pages/],
    ['lists within lists', () => onePage({ more: ['['.repeat(200_000)] }), /cannot be read/],
  ])('%s', async (_what, made, why) => {
    expect(await refusal(await made())).toMatch(why);
  });

  test('400 object streams of 4 MB are refused before all of them are unpacked', async () => {
    const bytes = deflateSync(Buffer.alloc(4_000_000, ' '));
    const large = stream(bytes.toString('latin1'), '/Type /ObjStm /N 0 /First 0 /Filter /FlateDecode');
    const [few, many] = [40, 400].map((length) => onePage({ more: Array.from({ length }, () => large) }));
    for (const file of [few!, many!]) expect(await refusal(file)).toMatch(/too large when it is unpacked/);
    const [fewMs, manyMs] = [await fastest(() => refusal(few!), 3), await fastest(() => refusal(many!), 3)];
    // In one go, so that a busy machine slows both down alike.
    const unpacking = (): void => {
      for (let times = 0; times < 360; times++) inflateSync(bytes);
    };
    expect(manyMs - fewMs).toBeLessThan((await fastest(unpacking, 3)) / 2);
  });

  test('an object stream of 2 GB is refused, and the next file is accepted', async () => {
    const bomb = deflateSync(deflateSync(Buffer.alloc(2_000_000_000 / 8), { level: 9 })).toString('latin1');
    const filters = '/Type /ObjStm /N 1 /First 8 /Filter [/FlateDecode /FlateDecode]';
    expect(await refusal(onePage({ more: [stream(bomb, filters)] }))).toMatch(
      /too much time or memory|too large|cannot be read/,
    );
    expect(await refusal(onePage())).toBeNull();
  });

  test('a page that takes too long to draw costs the thumbnail only', async () => {
    const nested = (level: number) =>
      stream(
        '/X Do '.repeat(20),
        `/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources << /XObject << /X ${level + 6} 0 R >> >>`,
      );
    const last = stream('0 0 500 500 re f', '/Type /XObject /Subtype /Form /BBox [0 0 600 900]');
    const forms = [...Array.from({ length: 8 }, (_, level) => nested(level)), last];
    const bytes = onePage({
      page: '/Resources << /XObject << /X 5 0 R >> >>',
      drawing: '/X Do',
      more: forms,
    });
    const { setTimeout: start } = globalThis;
    const shortened = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((act: () => void, ms?: number) => start(act, ms === 4_000 ? 1_000 : ms));
    const { content, thumbnail } = await prepare(bytes);
    shortened.mockRestore();
    expect(content.equals(bytes)).toBe(true);
    expect(thumbnail).toBeNull();
  });

  async function attached(): Promise<Buffer> {
    const document = await letter();
    await document.attach(Buffer.from('MZ'), 'a.exe');
    return saved(document);
  }
  async function encrypted(): Promise<Buffer> {
    const document = await letter();
    document.encrypt({ userPassword: '', ownerPassword: 'owner', permissions: {} });
    return saved(document, false);
  }
  const halfOf = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
  /** Two objects of one number: readers that go by the table find the first, others the second. */
  function replaced(object: string): Buffer {
    const text = onePage({ catalog: '/OpenAction 5 0 R', more: [object] }).toString('latin1');
    return Buffer.from(text.replace('xref\n', '5 0 obj\n[3 0 R /Fit]\nendobj\nxref\n'), 'latin1');
  }
});

test('a document of PDF 2.0 is accepted', async () => {
  const bytes = pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 595] >>',
    ],
    { version: '2.0' },
  );
  expect(await refusal(bytes)).toBeNull();
});
