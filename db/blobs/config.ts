import { z } from 'zod';

/** The place where blobs are stored; the same for API and workers. */
export const BlobConfig = z.object({
  /** The folder of the disk driver; it is created with the first blob. */
  BLOB_DIR: z.string().min(1).default('.data/blobs'),
});
