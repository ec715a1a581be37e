import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { StreamedAnswer } from '../envelope';

/** A text too long to be held in memory: an iterable that makes each chunk when the one before it was consumed. */
export const TextChunks = z.custom<AsyncIterable<string>>(
  (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  'must be an async iterable of text',
);
type TextChunks = z.output<typeof TextChunks>;

/** Begins every CSV: without it Excel takes UTF-8 for Windows-1252, and umlauts come back as other letters. */
const BOM = '\uFEFF';

/** Begins an answer of chunks, the first of them with the byte order mark. For HEAD none is made. */
export const startStream = async (
  { method }: Pick<Request, 'method'>,
  data: unknown,
): Promise<StreamedAnswer> => ({
  type: 'text/csv',
  chunks: method === 'HEAD' ? Readable.from([]) : await withFirstChunk(withMark(TextChunks.parse(data))),
});

async function* withMark(chunks: TextChunks): AsyncGenerator<string> {
  let mark = BOM;
  for await (const chunk of chunks) {
    yield mark + chunk;
    mark = '';
  }
}

/**
 * Waits for the first chunk, so that a failure before it can still be answered with an error; returns all chunks. Who
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

/** The `Content-Type` of a file of this type. */
export const contentTypeOf = (type: StreamedAnswer['type']): string =>
  type === 'text/csv' ? `${type}; charset=utf-8` : type;

/** Longer than a statement may take, so that the database does not count as a caller who has stopped reading. */
const STALLED_MS = 60_000;

/** The largest files are made in minutes; a caller who reads for longer than this keeps a slot from others. */
const LONGEST_MS = 3_600_000;

/**
 * Sends chunks as fast as the caller reads them. If one fails, no byte is sent for `stalledMs`, or all of it takes longer
 * than `longestMs`, the connection is cut, so that the caller cannot take the part for the whole and keeps no slot of a gate
 * by reading slowly; if the caller hangs up, no further chunk is made. Rejects in all these cases.
 */
export async function sendStream(
  res: Response,
  { status, type, chunks, headers = {}, longestMs: own = LONGEST_MS }: StreamedAnswer & { status: number },
  { stalledMs = STALLED_MS, longestMs = own } = {},
): Promise<void> {
  res.setTimeout(stalledMs, () => res.destroy());
  res.status(status).type(contentTypeOf(type));
  res.set(headers);
  const cut = setTimeout(() => res.destroy(), longestMs);
  try {
    await pipeline(Readable.from(chunks), res);
  } finally {
    clearTimeout(cut);
  }
}
