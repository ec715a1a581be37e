import type * as Pdf from '@cantoo/pdf-lib';

/** The refusal of a PDF with active content. */
export const ACTIVE =
  'has scripts, attached files, media or actions; print it to a new PDF and upload that one';

/** Names that occur nowhere else, so that each of them is refused wherever it stands. */
const WORDS = new Set([
  'EmbeddedFile',
  'EmbeddedFiles',
  'Encrypt',
  'GoToE',
  'GoToR',
  'ImportData',
  'JavaScript',
  'Launch',
  'Movie',
  'Rendition',
  'RichMedia',
  'RichMediaContent',
  'RichMediaExecute',
  'Sound',
  'SubmitForm',
]);
/** Short names, which may also be those of fonts and glyphs; they are refused as keys of dictionaries. */
const KEYS = ['AA', 'EF', 'JS', 'XFA'];
const NAME = /\/([^\0\s()<>[\]{}/%]{2,100})/g;
const ESCAPE = /#([0-9A-Fa-f]{2})/g;

/** The first name in the source text of a PDF that no harmless one has; null if there is none. */
export function activeWord(text: string): string | null {
  for (const [, written = ''] of text.matchAll(NAME)) {
    const name = written.replace(ESCAPE, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
    if (WORDS.has(name)) return name;
  }
  return null;
}

/** True if a dictionary in this object does something by itself, such as at the opening of the document. */
export function isActive(pdf: typeof Pdf, object: Pdf.PDFObject): boolean {
  const keys = KEYS.map((key) => pdf.PDFName.of(key));
  const toLook = [object];
  for (let next = toLook.pop(); next !== undefined; next = toLook.pop()) {
    if (next instanceof pdf.PDFArray) for (const element of next.asArray()) toLook.push(element);
    const dict = next instanceof pdf.PDFStream ? next.dict : next;
    if (!(dict instanceof pdf.PDFDict)) continue;
    if (keys.some((key) => dict.has(key)) || opensWithAction(pdf, dict)) return true;
    for (const value of dict.values()) toLook.push(value);
  }
  return false;
}

/** Opening at a page of its own is harmless; that is a list, or an action within the document. */
function opensWithAction({ PDFArray, PDFDict, PDFName }: typeof Pdf, dict: Pdf.PDFDict): boolean {
  const opening = dict.get(PDFName.of('OpenAction'));
  if (opening === undefined || opening instanceof PDFArray) return false;
  return !(opening instanceof PDFDict) || opening.get(PDFName.of('S')) !== PDFName.of('GoTo');
}
