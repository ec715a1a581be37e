import { Router } from 'express';
import type { BlobStore } from '../../db/blobs/port';
import { publicMedia } from '../../db/identity/media/media.reads';
import type { Db } from '../../db/sql/query';
import { refusal } from '../../workflows/errors';

const NAME = /^[0-9a-f]{64}$/;

/**
 * Public pictures, for mounting at /media. Only what the table lists is served, under the name it has there: a blob of
 * another kind has no address here. The bytes of a name never change, so anyone may keep them for good. Other sites may
 * show them; whatever they are taken for, nothing in them runs.
 */
export function mediaPages({ db, blobs }: { db: Db; blobs: BlobStore }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/:name', async (req, res) => {
    const { name } = req.params;
    const media = NAME.test(name) ? await publicMedia(db, name) : null;
    const bytes = media && (await blobs.get(media.name));
    if (!bytes) throw refusal('NOT_FOUND', 'There is nothing at this address.');
    res.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Disposition': 'inline',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    });
    res.type(media.contentType).send(bytes);
  });
  return router;
}
