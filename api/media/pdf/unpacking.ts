import type * as Pdf from '@cantoo/pdf-lib';
import { Unacceptable } from '../draw';

/** Chosen: of all object streams of a file together, of which twenty pages need a few hundred kilobytes. */
const MOST_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 65_536;

/** Unpacks streams of one PDF; throws `Unacceptable` before they together take too much memory and time. */
export class Unpacking {
  private bytes = 0;

  constructor(private readonly pdf: Pick<typeof Pdf, 'decodePDFRawStream'>) {}

  /** The content of a stream, one character for each byte. */
  textOf(stream: Pdf.PDFRawStream): string {
    const source = this.pdf.decodePDFRawStream(stream);
    for (let read = CHUNK_BYTES; read > 0;) {
      read = source.getBytes(CHUNK_BYTES).length;
      this.bytes += read;
      if (this.bytes > MOST_BYTES)
        throw new Unacceptable('is too large when it is unpacked; print it to a new PDF and upload that one');
    }
    source.reset();
    return Buffer.from(source.decode()).toString('latin1');
  }
}
