import { Router } from 'express';
import type { BlobStore } from '../../db/blobs/port';
import { publicMedia } from '../../db/identity/media/media.reads';
import type { Db } from '../../db/sql/query';
import { refusal } from '../../workflows/errors';

const NAME = /^[0-9a-f]{64}$/;

/**
 * Public pictures and documents, for mounting at /media. Only names that the table `media` lists are served: other blobs
 * have no address. The bytes of a name never change, so they may be cached forever. Other sites may embed them; nothing in
 * them is ever executed, and documents are only downloaded.
 */
export function mediaPages({ db, blobs }: { db: Db; blobs: BlobStore }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/:name', async (req, res) => {
    const { name } = req.params;
    const media = NAME.test(name) ? await publicMedia(db, name) : null;
    const bytes = media && (await blobs.get(media.name));
    if (!bytes) throw refusal('NOT_FOUND', 'No such file.');
    res.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Disposition':
        media.contentType === 'application/pdf' ? 'attachment; filename="document.pdf"' : 'inline',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    });
    res.type(media.contentType).send(bytes);
  });
  return router;
}
