import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { StreamedAnswer } from './envelope';

/** A text too long to be held in memory: an iterable that makes each chunk when the one before it was consumed. */
export const TextChunks = z.custom<AsyncIterable<string>>(
  (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  'must be an async iterable of text',
);
type TextChunks = z.output<typeof TextChunks>;

/** Begins an answer of chunks. For HEAD none is made. */
export const startStream = async (
  { method }: Pick<Request, 'method'>,
  type: StreamedAnswer['type'],
  data: unknown,
): Promise<StreamedAnswer> => ({
  type,
  chunks: method === 'HEAD' ? Readable.from([]) : await withFirstChunk(TextChunks.parse(data)),
});

/**
 * Waits for the first chunk, so that a failure before it can still be answered with an error; answers all chunks. Who
 * stops reading them at any place, even before the first, ends the making of them.
 */
export async function withFirstChunk(chunks: TextChunks): Promise<TextChunks> {
  const iterator = chunks[Symbol.asyncIterator]();
  let first: IteratorResult<string> | null = await iterator.next();
  const next = (): Promise<IteratorResult<string>> => {
    const kept = first;
    first = null;
    return kept ? Promise.resolve(kept) : iterator.next();
  };
  const end = async (): Promise<IteratorResult<string>> => {
    await iterator.return?.();
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}

/** Longer than a statement may take, so that the database does not count as a caller who has stopped reading. */
const STALLED_MS = 60_000;

/**
 * Sends chunks as fast as the caller reads them. If one fails, or no byte is sent for `stalledMs`, the connection is cut,
 * so that the caller cannot take the part for the whole and keeps no slot of a gate by not reading; if the caller hangs
 * up, no further chunk is made. Rejects in all these cases.
 */
export async function sendStream(
  res: Response,
  { status, type, chunks }: { status: number; type: 'text/csv'; chunks: TextChunks },
  stalledMs = STALLED_MS,
): Promise<void> {
  res.setTimeout(stalledMs, () => res.destroy());
  res.status(status).type(`${type}; charset=utf-8`);
  await pipeline(Readable.from(chunks), res);
}
