/** The types of files that an endpoint can answer as bytes. */
export const FILE_TYPES = [
  'application/pdf',
  'application/xml',
  'image/jpeg',
  'image/png',
  'image/webp',
] as const;
export type FileType = (typeof FILE_TYPES)[number];
