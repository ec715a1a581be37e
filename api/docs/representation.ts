import type { RequestHandler } from 'express';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { etagOf } from '../http/answer/caching';

const compress = promisify(gzip);

/** The pages change only with a release. */
const CACHE_CONTROL = 'public, max-age=300';

interface Content {
  plain: string;
  zipped: Buffer;
  etag: string;
}

/**
 * Answers one content that is the same for everyone: made and compressed at the first request and cached, with an ETag
 * by which a client asks whether its copy is current. After a failure the next request tries again.
 */
export function sameForEveryone(type: string, make: () => string | Promise<string>): RequestHandler {
  let kept: Promise<Content> | undefined;
  const load = async (): Promise<Content> => {
    const plain = await make();
    return { plain, zipped: await compress(plain), etag: etagOf(plain) };
  };
  return async (req, res) => {
    kept ??= load().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    const { plain, zipped, etag } = await kept;
    res.vary('Accept-Encoding').type(type).set({ 'Cache-Control': CACHE_CONTROL, ETag: etag });
    if (req.acceptsEncodings(['gzip', 'identity']) !== 'gzip') res.send(plain);
    else res.set('Content-Encoding', 'gzip').send(zipped);
  };
}
