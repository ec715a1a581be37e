import type { PDFiumDocument } from '@hyzyla/pdfium';
import { Unacceptable } from '../draw';

/** Opens a PDF with PDFium, compiled to WebAssembly without scripts and files; the process ends before it is closed. */
export async function opened(bytes: Buffer): Promise<PDFiumDocument> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  const library = await PDFiumLibrary.init();
  return library.loadDocument(bytes).catch(() => {
    throw new Unacceptable('cannot be read');
  });
}
