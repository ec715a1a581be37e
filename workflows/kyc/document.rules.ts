import type { KycContentType, KycDocumentType } from './kyc.rules';

const EXTENSIONS: Readonly<Record<KycContentType, readonly [string, ...string[]]>> = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'application/pdf': ['pdf'],
};

/** In characters, with the extension. */
const LONGEST_NAME = 100;

/**
 * A safe form of the name that a client gave to a file: NFC, no folder, no control or formatting characters, none that some
 * file systems refuse, at most 100 characters, and the extension of what the file contains. A name of which nothing is left
 * becomes that of the type: `passport.jpg`.
 */
export function cleanedFileName(
  name: string,
  { type, contentType }: { type: KycDocumentType; contentType: KycContentType },
): string {
  const file = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const cleaned = file
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replaceAll(/["*:<>?|\uFFFD]/g, '_')
    .replace(/^[. ]+/, '');
  const [, stem = cleaned, extension] = /^(.*)\.([^.]*)$/u.exec(cleaned) ?? [];
  const known = EXTENSIONS[contentType];
  const isRight = extension !== undefined && known.includes(extension.toLowerCase());
  const ending = `.${isRight ? extension : known[0]}`;
  const kept = Array.from(isRight ? stem : cleaned)
    .slice(0, LONGEST_NAME - ending.length)
    .join('');
  return `${kept.replace(/[. ]+$/, '') || stemOf(type)}${ending}`;
}

/** The type of a document as a part of a file's name: `drivers-licence`. */
export const stemOf = (type: KycDocumentType): string => type.toLowerCase().replaceAll('_', '-');
