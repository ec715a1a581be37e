import type * as Pdf from '@cantoo/pdf-lib';

/** The refusal of a PDF that lies in part elsewhere, or that leads elsewhere by more than a link. */
export const OUTWARD = 'points to something outside of it; print it to a new PDF and upload that one';

/** Keys of streams whose content, or a better version of it, is in another file. */
const ELSEWHERE = ['F', 'FDecodeParms', 'FFilter', 'OPI', 'Ref'];

/**
 * Finds what points out of one PDF: streams with content elsewhere, and addresses to open that are not what a link of a
 * page does when it is pressed. An action may come before or after what refers to it, so all objects are looked at first.
 */
export class Outward {
  private found = false;
  /** The numbers of objects that open an address, and of those that anything but a link refers to. */
  private readonly addresses = new Set<number>();
  private readonly used = new Set<number>();

  constructor(private readonly pdf: typeof Pdf) {}

  look(ref: Pdf.PDFRef, object: Pdf.PDFObject): void {
    if (object instanceof this.pdf.PDFDict && this.opensAddress(object)) this.addresses.add(ref.objectNumber);
    const toLook: Pdf.PDFObject[] = [object];
    for (let next = toLook.pop(); next !== undefined; next = toLook.pop()) {
      if (next !== object && next instanceof this.pdf.PDFDict && this.opensAddress(next)) this.found = true;
      for (const part of this.partsOf(next)) toLook.push(part);
    }
  }

  /** Call it when all objects are looked at. */
  get isFound(): boolean {
    return this.found || [...this.addresses].some((number) => this.used.has(number));
  }

  /** The parts of an object that are examined, without the action of a link; notes the objects that it refers to. */
  private partsOf(object: Pdf.PDFObject): Pdf.PDFObject[] {
    const { PDFArray, PDFDict, PDFRef, PDFStream } = this.pdf;
    if (object instanceof PDFRef) this.used.add(object.objectNumber);
    if (object instanceof PDFArray) return object.asArray();
    if (object instanceof PDFStream && ELSEWHERE.some((key) => object.dict.has(this.name(key))))
      this.found = true;
    const dict = object instanceof PDFStream ? object.dict : object;
    if (!(dict instanceof PDFDict)) return [];
    const action = this.isLink(dict) ? dict.get(this.name('A')) : undefined;
    if (action instanceof PDFDict)
      return [...dict.values(), ...action.values()].filter((part) => part !== action);
    return dict.values().filter((part) => part !== action);
  }

  private isLink(dict: Pdf.PDFDict): boolean {
    return dict.get(this.name('Subtype')) === this.name('Link') && dict.has(this.name('Rect'));
  }

  /** An action of this kind, however it says so; the catalogue's base address is no action. */
  private opensAddress(dict: Pdf.PDFDict): boolean {
    const address = dict.get(this.name('URI'));
    if (dict.get(this.name('S')) === this.name('URI')) return true;
    return address !== undefined && !(address instanceof this.pdf.PDFDict);
  }

  private name(key: string): Pdf.PDFName {
    return this.pdf.PDFName.of(key);
  }
}
