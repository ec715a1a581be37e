import type { PDFObject, PDFRawStream, PDFRef } from '@cantoo/pdf-lib';
import { Unacceptable } from '../draw';
import { ACTIVE, activeWord, isActive } from './active-content';
import { Outward, OUTWARD } from './outward';
import { opened } from './pdfium';
import { Unpacking } from './unpacking';

const HEADER = /^%PDF-[12]\.\d/;
const END = /%%EOF[\0\s]*$/;
/** Enough for the end of a file and the blanks that some programs add. */
const END_BYTES = 1_024;
/** The record at the end of a ZIP archive, and how far before the end of the file a reader looks for it. */
const ZIP_END = Buffer.from('PK\u0005\u0006');
const ZIP_END_BYTES = 65_557;
/** The beginning of an object in the file: its number, its generation and the keyword. */
const OBJECT = /\d[\0\s]+\d+[\0\s]*obj(?![A-Za-z])/g;
const MOST_PAGES = 20;

/**
 * Throws `Unacceptable` unless the bytes are one complete PDF of a few pages, not encrypted, without active content.
 * Its objects are found by reading the file from its beginning to its end, also the outdated and the unused ones and
 * those in object streams, because readers differ in which of them they use. An object that this reading skips, which
 * another reader could be led to, makes the file unacceptable too.
 */
export async function inspectPdf(bytes: Buffer): Promise<void> {
  if (!HEADER.test(bytes.toString('latin1', 0, 16))) throw new Unacceptable('does not begin like a PDF');
  if (!END.test(bytes.toString('latin1', Math.max(0, bytes.length - END_BYTES))))
    throw new Unacceptable('is not complete, or something follows its end');
  if (bytes.subarray(-ZIP_END_BYTES).includes(ZIP_END)) throw new Unacceptable('is an archive, too');
  const text = bytes.toString('latin1');
  refuseWordsIn(text);
  const found = await objectsOf(bytes);
  if (found !== (text.match(OBJECT)?.length ?? 0)) throw new Unacceptable('has hidden parts');
  await requireFewPages(bytes);
}

function refuseWordsIn(text: string): void {
  const word = activeWord(text);
  if (word === 'Encrypt') throw new Unacceptable('is encrypted; save it without a password');
  if (word !== null) throw new Unacceptable(ACTIVE);
}

/** Looks at all objects, and returns how many begin in the file itself and not in an object stream. */
async function objectsOf(bytes: Buffer): Promise<number> {
  const pdf = await import('@cantoo/pdf-lib');
  const { PDFName, PDFNumber, PDFParser, PDFRawStream } = pdf;
  const [type, objectStream] = [PDFName.of('Type'), PDFName.of('ObjStm')];
  const seen = { objects: 0, packed: 0 };
  const [outward, unpacking] = [new Outward(pdf), new Unpacking(pdf)];
  /** Those in the file itself; an object stream cannot have streams. */
  const streams = new WeakSet<PDFRawStream>();
  let fault = new Unacceptable('cannot be read');

  /** Before the parser unpacks it. */
  const unpack = (stream: PDFRawStream): void => {
    streams.add(stream);
    const isNamed = stream.dict.get(type) === objectStream;
    const count = stream.dict.get(PDFName.of('N'));
    // One that only some readers recognise.
    if (!isNamed && count && stream.dict.get(PDFName.of('First'))) throw new Unacceptable('has hidden parts');
    if (stream.dict.lookup(type) === PDFName.of('XRef')) unpacking.textOf(stream);
    if (!isNamed) return;
    if (!(count instanceof PDFNumber)) throw new Unacceptable('has hidden parts');
    seen.packed += count.asNumber();
    refuseWordsIn(unpacking.textOf(stream));
  };
  const see = (ref: PDFRef, object: PDFObject): void => {
    outward.look(ref, object);
    if (isActive(pdf, object)) throw new Unacceptable(ACTIVE);
    if (object instanceof PDFRawStream && !streams.has(object)) throw new Unacceptable('has hidden parts');
  };
  /** Holds the refusal, since the parser replaces errors by its own. */
  const keeping = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      if (error instanceof Unacceptable) fault = error;
      throw error;
    }
  };

  class SeeingParser extends PDFParser {
    constructor() {
      super(bytes, Infinity, true);
      const assign = this.context.assign.bind(this.context);
      this.context.assign = (ref, object) => {
        seen.objects++;
        keeping(() => see(ref, object));
        assign(ref, object);
      };
    }

    override parseObject(ref?: PDFRef): PDFObject {
      const object = super.parseObject(ref);
      if (object instanceof PDFRawStream) keeping(() => unpack(object));
      return object;
    }
  }
  try {
    await new SeeingParser().parseDocument();
  } catch {
    throw fault;
  }
  if (outward.isFound) throw new Unacceptable(OUTWARD);
  return seen.objects - seen.packed;
}

async function requireFewPages(bytes: Buffer): Promise<void> {
  const document = await opened(bytes);
  const pages = document.getPageCount();
  if (pages < 1) throw new Unacceptable('has no pages');
  if (pages > MOST_PAGES) throw new Unacceptable(`has more than ${MOST_PAGES} pages`);
}
