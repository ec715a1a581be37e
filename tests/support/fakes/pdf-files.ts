import { deflateSync } from 'node:zlib';

/** Writes a PDF from the text of its objects, numbered from 1; the first is the catalogue. */
export function pdfOf(objects: readonly string[], { trailer = '', version = '1.7' } = {}): Buffer {
  let text = `%PDF-${version}\n%\u00e2\u00e3\u00cf\u00d3\n`;
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines.join('')}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>';
/** A red rectangle. */
const DRAWING = '1 0 0 rg 50 50 200 300 re f';

/** A stream object with this content. */
export const stream = (content: string, dictionary = ''): string =>
  `<< /Length ${content.length} ${dictionary} >>\nstream\n${content}\nendstream`;

/** One page. `catalog` and `page` are added to these dictionaries, `more` begins at object 5. */
export const onePage = ({
  catalog = '',
  page = '',
  more = [] as readonly string[],
  trailer = '',
  drawing = DRAWING,
} = {}): Buffer =>
  pdfOf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      PAGE.replace('>>', `${page} >>`),
      stream(drawing),
      ...more,
    ],
    { trailer },
  );

/** As many empty pages. */
export const pages = (count: number): Buffer =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${Array.from({ length: count }, (_, at) => `${at + 3} 0 R`).join(' ')}] /Count ${count} >>`,
    ...Array.from({ length: count }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>'),
  ]);

/** A small one that takes minutes to read: an object stream names one long list 5,000 times. */
export function endlessPdf(): Buffer {
  const head = '20 0 '.repeat(5_000);
  const content = deflateSync(Buffer.from(`${head}[${'1 '.repeat(200_000)}]`)).toString('latin1');
  const dictionary = `/Type /ObjStm /N 5000 /First ${head.length} /Filter /FlateDecode`;
  return onePage({ more: [stream(content, dictionary)] });
}
