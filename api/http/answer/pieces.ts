import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

/** An answer too long to be held at once: its text, piece by piece, each made when the one before it was taken. */
export const Pieces = z.custom<AsyncIterable<string>>(
  (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  'is no text in pieces',
);
type Pieces = z.output<typeof Pieces>;

/** The same pieces, the first of which is there: what fails before it can still be answered as a failure. */
export async function begun(pieces: Pieces): Promise<Pieces> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
}

/**
 * Sends pieces as fast as they are taken. When one of them fails, the answer breaks off, so that nobody takes it for
 * the whole; when the caller hangs up, no more are made. Rejects in both cases.
 */
export async function sendStream(
  res: Response,
  { status, type, pieces }: { status: number; type: 'text/csv'; pieces: Pieces },
): Promise<void> {
  res.status(status).type(`${type}; charset=utf-8`);
  await pipeline(Readable.from(pieces), res);
}
