import type { HeldDocument } from '../../../../db/kyc/document/held-document.reads';
import type { KycContentType } from '../../../../workflows/kyc/kyc.rules';

const EXTENSIONS: Record<KycContentType, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

type Named = Pick<HeldDocument, 'type' | 'number'>;

/** The name of a document without an extension: its type and number, as the name of the uploaded file is not kept. */
const stemOf = ({ type, number }: Named): string => `${type.toLowerCase().replaceAll('_', '-')}-${number}`;

/** The name to save a document under: `passport-1.pdf`. */
export const fileNameOf = (document: Named & Pick<HeldDocument, 'contentType'>): string =>
  `${stemOf(document)}.${EXTENSIONS[document.contentType]}`;

/** The name to save the thumbnail of a document under. */
export const thumbnailNameOf = (document: Named): string => `${stemOf(document)}-thumbnail.webp`;
