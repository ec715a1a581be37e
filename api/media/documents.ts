import { fileTypeFromBuffer } from 'file-type/core';
import type { Logger } from 'pino';
import { businessRefusal, refusal } from '../../workflows/errors';
import {
  DocumentTooHard,
  ScannerUnavailable,
  type DocumentPreparer,
  type Documents,
  type PreparedDocument,
} from '../http/body/document-preparer';
import type { CountScan } from '../http/observe/scan-counter';
import type { Drawn } from '../http/body/picture-drawer';
import { Busy } from '../http/limits/gate';
import { TooManyRequests } from '../http/limits/rate-limit';
import type { Decoder } from './decoder';
import type { Outcome } from './decoder-process';
import type { VirusScanner } from './scanner/port';

/** Chosen: a page of A4 in over 400 dots per inch, so that small print stays readable. */
const LONGEST_SIDE = 5_000;
/** Chosen: a redrawn picture that takes more is stored as a JPEG of lower quality. */
const MOST_BYTES = 10 * 1024 * 1024;
const THUMBNAIL = { side: 400, fit: 'inside', as: 'webp' } as const;
/** A PDF that takes longer to inspect is refused. */
const INSPECTION_MS = 5_000;
/** A page that takes longer to draw has no thumbnail. */
const PAGE_MS = 4_000;
/** Retry-After while another file of the same client is prepared. */
const ANOTHER_RETRY_SECONDS = 2;

/** The scanner for viruses, and the receivers of its results. */
export interface ScanOptions {
  log: Logger;
  /** Left out, nobody looks. */
  scanner?: VirusScanner | undefined;
  countScan?: CountScan | undefined;
}

/**
 * Makes uploaded files safe: looks for viruses, then decodes them in the decoder's process. Of each client one at a time,
 * so that none can fill the queue.
 */
export class SafeDocuments implements DocumentPreparer {
  private readonly clients = new Set<string>();

  constructor(
    private readonly decoder: Pick<Decoder, 'apart' | 'do'>,
    private readonly scanning: ScanOptions,
  ) {}

  forRequest(client: string, onInfected: (virus: string) => void): Documents {
    return {
      prepare: async (bytes, clientGone) => {
        if (this.clients.has(client)) throw new TooManyRequests(ANOTHER_RETRY_SECONDS);
        this.clients.add(client);
        try {
          return await this.prepared(bytes, clientGone, onInfected);
        } finally {
          this.clients.delete(client);
        }
      },
    };
  }

  private async prepared(
    bytes: Buffer,
    clientGone: AbortSignal,
    onInfected: (virus: string) => void,
  ): Promise<PreparedDocument> {
    if (bytes.length === 0) throw noDocument('is empty');
    const virus = await this.virusIn(bytes, clientGone);
    if (virus === null) return this.decoded(bytes, clientGone);
    onInfected(virus);
    const details = { file: ['contains a virus'] };
    throw businessRefusal('FILE_INFECTED', 'The file contains a virus.', details);
  }

  private async virusIn(bytes: Buffer, clientGone: AbortSignal): Promise<string | null> {
    const { scanner, log, countScan } = this.scanning;
    if (!scanner) return null;
    try {
      const virus = await scanner.findVirus(bytes, clientGone);
      countScan?.(virus === null ? 'clean' : 'infected');
      return virus;
    } catch (error) {
      if (error instanceof ScannerUnavailable) {
        log.error({ err: error }, 'the virus scanner gave no result, so an upload was not accepted');
        countScan?.('unavailable');
      }
      throw error;
    }
  }

  private async decoded(bytes: Buffer, clientGone: AbortSignal): Promise<PreparedDocument> {
    const claimed = await fileTypeFromBuffer(bytes);
    if (claimed?.mime === 'image/jpeg') return this.redrawn(bytes, 'jpeg', clientGone);
    if (claimed?.mime === 'image/png') return this.redrawn(bytes, 'png', clientGone);
    if (claimed?.mime === 'application/pdf') return this.inspected(bytes, clientGone);
    throw noDocument('is not a JPEG, PNG or PDF file');
  }

  /** A PDF that is hard to draw is accepted without a thumbnail; one that is hard to read is refused. */
  private inspected(bytes: Buffer, clientGone: AbortSignal): Promise<PreparedDocument> {
    return this.decoder.apart(async (process) => {
      const inspection = await process.do({ bytes, format: 'pdf', drawings: [] }, INSPECTION_MS);
      requireDecoded(inspection, '; print it to a new PDF and upload that one');
      const page = await process.do({ bytes, format: 'pdf', drawings: [THUMBNAIL] }, PAGE_MS);
      const [thumbnail] = typeof page === 'object' && 'drawn' in page ? page.drawn : [];
      return {
        ...{ content: bytes, contentType: 'application/pdf', sentType: 'application/pdf' },
        thumbnail: thumbnail?.bytes ?? null,
      };
    }, clientGone);
  }

  private async redrawn(
    bytes: Buffer,
    format: 'jpeg' | 'png',
    clientGone: AbortSignal,
  ): Promise<PreparedDocument> {
    const draw = async (as: 'jpeg' | 'png', quality: number): Promise<readonly Drawn[]> => {
      const drawings = [{ side: LONGEST_SIDE, fit: 'inside', as, quality } as const, THUMBNAIL];
      const outcome = await this.decoder.do({ bytes, format, drawings }, clientGone);
      return requireDecoded(outcome, '; save it smaller').drawn;
    };
    const [content, thumbnail] = await draw(format, 90);
    if (!content || !thumbnail) throw new Error('The picture was not drawn.');
    const rest = { sentType: `image/${format}`, thumbnail: thumbnail.bytes } as const;
    if (content.bytes.length <= MOST_BYTES)
      return { content: content.bytes, contentType: `image/${format}`, ...rest };
    const [smaller] = await draw('jpeg', 80);
    if (!smaller) throw new Error('The picture was not drawn.');
    return { content: smaller.bytes, contentType: 'image/jpeg', ...rest };
  }
}

const noDocument = (why: string): Error =>
  refusal('INVALID_FILE_TYPE', 'The file must be a JPEG or PNG image or a PDF document.', { file: [why] });

/** Returns what was decoded; refuses, with this advice, a file for which time or memory did not suffice. */
function requireDecoded(outcome: Outcome, advice: string): { drawn: readonly Drawn[] } {
  if (outcome === 'unavailable') throw new Busy();
  if (outcome === 'timed out' || outcome === 'crashed')
    throw new DocumentTooHard(noDocument(`takes too much time or memory to read${advice}`));
  if ('unacceptable' in outcome) throw noDocument(outcome.unacceptable);
  return outcome;
}
