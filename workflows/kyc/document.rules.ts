import type { KycContentType, KycDocumentType } from './kyc.rules';

const EXTENSIONS: Readonly<Record<KycContentType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/pdf': 'pdf',
};

/** The name of a document's file, of its type and the end of its id: `passport-9f2a41c7.jpg`. The name that its user gave it is not kept. */
export const documentFileName = ({
  id,
  type,
  contentType,
}: {
  id: string;
  type: KycDocumentType;
  contentType: KycContentType;
}): string => `${type.toLowerCase().replaceAll('_', '-')}-${id.slice(-8)}.${EXTENSIONS[contentType]}`;
