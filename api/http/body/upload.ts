import type { Request, Response } from 'express';
import multer, { memoryStorage, MulterError } from 'multer';
import { refusal } from '../../../workflows/errors';
import { BodyMemory } from './body-memory';
import type { Upload } from './taken-file';
import { invalid } from '../validation/validation';

const MOST_FIELDS = 20;
const MOST_FIELD_BYTES = 10_000;
const MEGABYTE = 1024 * 1024;
/**
 * The memory for uploads of each process. Documents have their own, because they stay in it while they are scanned and wait
 * for their decoder, and the others must not wait for them. Chosen: enough for nine of the largest avatars, or four product
 * pictures, and for four of the largest documents, of each user one.
 */
const memories = {
  files: new BodyMemory({ bytes: 48 * MEGABYTE, perClientBytes: 20 * MEGABYTE }),
  documents: new BodyMemory({ bytes: 40 * MEGABYTE, perClientBytes: 10 * MEGABYTE }),
};
/** Longest pause between two bytes; the whole request has another limit (`serve.ts`). */
const STALLED_MS = 10_000;

/**
 * Reads a form: the file's bytes, the name that the client gives it, and the other fields. The name is unchecked, `../../x` for
 * example; the client's type is dropped, because it proves nothing. Refuses with UNSUPPORTED_MEDIA_TYPE a body that is not multipart,
 * with FILE_TOO_LARGE, and with VALIDATION_ERROR a form that breaks off, lacks the file, or has unknown parts.
 */
export async function readUpload(
  req: Request,
  res: Response,
  { field, maxBytes, memory = 'files' }: Upload,
): Promise<{ file: Buffer; fileName: string; body: unknown }> {
  if (!req.is('multipart/form-data'))
    throw refusal(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be a form with a file (Content-Type: multipart/form-data).',
    );
  memories[memory].reserve(req, res, maxBytes);
  const read = multer({
    storage: memoryStorage(),
    defParamCharset: 'utf8',
    limits: {
      fileSize: maxBytes,
      files: 1,
      fields: MOST_FIELDS,
      parts: MOST_FIELDS + 1,
      fieldNameSize: 100,
      fieldSize: MOST_FIELD_BYTES,
      headerPairs: 20,
    },
  }).single(field);
  req.setTimeout(STALLED_MS, () => req.destroy());
  await new Promise<void>((resolve, reject) => {
    read(req, res, (error: unknown) => {
      if (error === undefined || error === null) resolve();
      else reject(explained(error, field, maxBytes));
    });
  });
  req.setTimeout(0);
  if (!req.file) throw invalid({ [field]: ['is required'] });
  return { file: req.file.buffer, fileName: req.file.originalname, body: { ...(req.body as object) } };
}

/** The fields and the file of a form, without the boundary, which is another one each time that it is sent. */
export function formBytes({ file, fileName, body }: Awaited<ReturnType<typeof readUpload>>): Buffer {
  const fields = Object.entries(body as object).sort(([one], [other]) => (one < other ? -1 : 1));
  return Buffer.concat([Buffer.from(`${JSON.stringify([fileName, fields])}\n`), file]);
}

/** Maps an error of the parser to a refusal; every such error is caused by the form. */
function explained(error: unknown, field: string, maxBytes: number): Error {
  if (!(error instanceof MulterError)) return invalid({ body: ['is not a complete form'] });
  if (error.code === 'LIMIT_FILE_SIZE')
    return refusal('FILE_TOO_LARGE', `The file can have at most ${maxBytes} bytes.`);
  if (error.code === 'LIMIT_UNEXPECTED_FILE')
    return invalid({ [error.field ?? 'body']: [`is not the field of the file; send one file in ${field}`] });
  return invalid({ [error.field ?? 'body']: ['has more or longer parts than this form can have'] });
}
