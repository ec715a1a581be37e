import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

/** A text too long to be held in memory: an iterable that makes each chunk when the one before it was consumed. */
export const TextChunks = z.custom<AsyncIterable<string>>(
  (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  'must be an async iterable of text',
);
type TextChunks = z.output<typeof TextChunks>;

/** Waits for the first chunk, so that a failure before it can still be answered with an error; answers all chunks. */
export async function withFirstChunk(chunks: TextChunks): Promise<TextChunks> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
}

/**
 * Sends chunks as fast as the caller reads them. If one fails, the connection is cut, so that the caller cannot take
 * the part for the whole; if the caller hangs up, no further chunk is made. Rejects in both cases.
 */
export async function sendStream(
  res: Response,
  { status, type, chunks }: { status: number; type: 'text/csv'; chunks: TextChunks },
): Promise<void> {
  res.status(status).type(`${type}; charset=utf-8`);
  await pipeline(Readable.from(chunks), res);
}
