import type { ServerDeps } from '../http/deps';
import { Decoder, type DecoderOptions } from './decoder';
import { SafeDocuments, type ScanOptions } from './documents';
import { Pictures } from './pictures';

/** Everything that handles files from clients, for the server. */
export interface Media extends Pick<ServerDeps, 'documents' | 'pictures'> {
  /** For tests. */
  decoders: Readonly<Record<'documents' | 'pictures', Decoder>>;
  /** Ends the processes that decode, after the last request. */
  close: () => Promise<void>;
}

/**
 * Builds it around two decoders: documents, of which PDFs are slow by nature and may be made to be, have one of their own,
 * so that pictures never wait for them.
 */
export function createMedia(options: DecoderOptions & ScanOptions): Media {
  const decoders = { documents: new Decoder(options), pictures: new Decoder(options) };
  return {
    pictures: new Pictures(decoders.pictures),
    documents: new SafeDocuments(decoders.documents, options),
    decoders,
    close: async () => {
      await Promise.all([decoders.documents.close(), decoders.pictures.close()]);
    },
  };
}
