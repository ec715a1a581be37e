import type { Request, Response } from 'express';
import multer, { memoryStorage, MulterError } from 'multer';
import { refusal } from '../../../workflows/errors';
import { BodyRoom } from './body-room';
import type { Upload } from '../endpoint';
import { invalid } from '../request/validation';

const MOST_FIELDS = 20;
const MOST_FIELD_BYTES = 10_000;
const MEGABYTE = 1024 * 1024;
/** Chosen: nine of the largest avatars, or four product pictures, at a time in each process. */
const room = new BodyRoom({ bytes: 48 * MEGABYTE, perClientBytes: 20 * MEGABYTE });
/** Longest without a byte; the whole request has a limit of its own. */
const STALLED_MS = 10_000;

/**
 * The file's bytes and the other fields. What its sender calls the file and says of its type is not handed on: it
 * proves nothing, and a name such as `../../x` does harm. Refuses with UNSUPPORTED_MEDIA_TYPE what is not multipart,
 * with FILE_TOO_LARGE, and with VALIDATION_ERROR what breaks off, has no file, or has parts that nobody asked for.
 */
export async function readUpload(
  req: Request,
  res: Response,
  { field, maxBytes }: Upload,
): Promise<{ file: Buffer; body: unknown }> {
  if (!req.is('multipart/form-data'))
    throw refusal('UNSUPPORTED_MEDIA_TYPE', 'The body must be a form with a file: multipart/form-data.');
  room.take(req, res, maxBytes);
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
      else reject(explained(error, maxBytes));
    });
  });
  req.setTimeout(0);
  if (!req.file) throw invalid({ [field]: ['is required'] });
  return { file: req.file.buffer, body: { ...(req.body as object) } };
}

/** Whatever else the parser complains about is the form's fault: it did nothing but read it. */
function explained(error: unknown, maxBytes: number): Error {
  if (!(error instanceof MulterError)) return invalid({ body: ['is not a form, or did not arrive whole'] });
  if (error.code === 'LIMIT_FILE_SIZE')
    return refusal('FILE_TOO_LARGE', `The file may have at most ${maxBytes} bytes.`);
  return invalid({ [error.field ?? 'body']: [error.message] });
}
