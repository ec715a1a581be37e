import { create } from 'content-disposition';
import type { Request } from 'express';
import { z } from 'zod';
import type { StreamedAnswer } from '../envelope';
import { FILE_TYPES, type FileType } from './file-types';

/**
 * A file: its bytes, their type, and the name to save them under, which is not that of a folder. `isAttachment` is for a file
 * that is never shown in a page; only images are, by default.
 */
export const FileBytes = z.object({
  type: z.enum(FILE_TYPES),
  bytes: z.instanceof(Buffer),
  fileName: z.string().regex(/^[^.\p{Cc}\p{Cf}\p{Cs}/\\][^\p{Cc}\p{Cf}\p{Cs}/\\]*\.[A-Za-z]{3,4}$/u),
  isAttachment: z.boolean().optional(),
});

/** Nothing that somebody uploaded may run in a browser, whatever its bytes turn out to be. */
const SANDBOX = "sandbox; default-src 'none'";

/** Chosen: 10 MB at 35 kB a second. Its bytes are in memory until then. */
const LONGEST_MS = 300_000;

/** Begins an answer that is a file of one of these types: pictures are shown, all else is only saved. HEAD gets no byte. */
export function startFile(
  { method }: Pick<Request, 'method'>,
  types: readonly FileType[],
  data: unknown,
): StreamedAnswer {
  const { type, bytes, fileName, isAttachment } = FileBytes.parse(data);
  if (!types.includes(type)) throw new Error(`The endpoint does not declare files of type ${type}.`);
  const isShown = type.startsWith('image/') && !isAttachment;
  return {
    type,
    chunks: method === 'HEAD' ? [] : [bytes],
    longestMs: LONGEST_MS,
    headers: {
      'Content-Disposition': create(fileName, { type: isShown ? 'inline' : 'attachment' }),
      'Content-Length': String(bytes.length),
      'Content-Security-Policy': SANDBOX,
    },
  };
}
