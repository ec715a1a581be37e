/** The types of documents that are stored. */
export type DocumentType = 'image/jpeg' | 'image/png' | 'application/pdf';

/** A document that is safe to store and to show to people. */
export interface PreparedDocument {
  /** A redrawn picture, or the bytes of a harmless PDF. They are for downloads only, never for an own page. */
  content: Buffer;
  contentType: DocumentType;
  /** The type of the bytes as they came. */
  sentType: DocumentType;
  /** WebP within 400 × 400 pixels; null for a PDF whose first page could not be drawn. */
  thumbnail: Buffer | null;
}

/** Turns uploaded bytes into documents. */
export interface Documents {
  /**
   * Checks a file for viruses and for what it contains, and redraws a picture. Refuses with FILE_INFECTED, and with
   * INVALID_FILE_TYPE anything but a complete JPEG, PNG or harmless PDF of reasonable size. Rejects with `DocumentTooHard`,
   * with `ScannerUnavailable` when the check for viruses has no result, with `Busy` when too many wait or the client hangs
   * up before its turn, and with `TooManyRequests` while another file of the client is prepared.
   */
  prepare: (bytes: Buffer, clientGone: AbortSignal) => Promise<PreparedDocument>;
}

/** Makes the documents of one request of a client; `onInfected` learns the name of each virus that is found. */
export interface DocumentPreparer {
  forRequest: (client: string, onInfected: (virus: string) => void) => Documents;
}

/** Reading a file took too much time or memory, and it may be made for that. */
export class DocumentTooHard extends Error {
  /** The refusal for its sender. */
  constructor(readonly refusal: Error) {
    super(refusal.message);
  }
}

/** The virus scanner cannot be reached, is too slow or answers nonsense, so no file is accepted. */
export class ScannerUnavailable extends Error {}
