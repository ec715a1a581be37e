import { z } from 'zod';

/** Where bytes are kept; API and workers need the same. */
export const BlobConfig = z.object({
  /** A folder of the disk driver; it is made when the first bytes come. */
  BLOB_DIR: z.string().min(1).default('.data/blobs'),
});
