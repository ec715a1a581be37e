import type { Request } from 'express';
import { z } from 'zod';
import type { StreamedAnswer } from '../envelope';
import { FILE_TYPES, type FileType } from './file-types';

/**
 * A file: its bytes, their type, and the name to save them under. A name that could end a header, or that names a folder,
 * is none.
 */
export const FileBytes = z.object({
  type: z.enum(FILE_TYPES),
  bytes: z.instanceof(Buffer),
  fileName: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]*\.[a-z]{3,4}$/),
});

/** Nothing that somebody uploaded may run in a browser, whatever its bytes turn out to be. */
const SANDBOX = "sandbox; default-src 'none'";

/** Begins an answer that is a file of one of these types: pictures are shown, all else is only saved. HEAD gets no byte. */
export function startFile(
  { method }: Pick<Request, 'method'>,
  types: readonly FileType[],
  data: unknown,
): StreamedAnswer {
  const { type, bytes, fileName } = FileBytes.parse(data);
  if (!types.includes(type)) throw new Error(`The endpoint does not declare files of type ${type}.`);
  const disposition = type.startsWith('image/') ? 'inline' : 'attachment';
  return {
    type,
    chunks: method === 'HEAD' ? [] : [bytes],
    headers: {
      'Content-Disposition': `${disposition}; filename=${fileName}`,
      'Content-Length': String(bytes.length),
      'Content-Security-Policy': SANDBOX,
    },
  };
}
