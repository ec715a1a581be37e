import type { HeldDocument } from '../../../../db/kyc/document/held-document.reads';
import { stemOf } from '../../../../workflows/kyc/document.rules';
import type { KycContentType } from '../../../../workflows/kyc/kyc.rules';

const EXTENSIONS: Record<KycContentType, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

type Named = Pick<HeldDocument, 'type' | 'number'>;

/** Reviewers save files under a name without words of a user. */
const numbered = ({ type, number }: Named): string => `${stemOf(type)}-${number}`;

/** The name to save a document under: `passport-1.pdf`. */
export const fileNameOf = (document: Named & Pick<HeldDocument, 'fileContentType'>): string =>
  `${numbered(document)}.${EXTENSIONS[document.fileContentType]}`;

/** The name to save the thumbnail of a document under. */
export const thumbnailNameOf = (document: Named): string => `${numbered(document)}-thumbnail.webp`;
