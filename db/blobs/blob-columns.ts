/** A column whose values are the names of blobs. */
interface BlobColumn {
  table: string;
  column: string;
  /** The column that its row is found by. */
  key: string;
}

/** Every column by which a row has a blob; all have an index. A blob of none of them, nor discarded, has no row. */
export const BLOB_COLUMNS: readonly BlobColumn[] = [
  { table: 'kyc_documents', column: 'file_blob', key: 'id' },
  { table: 'kyc_documents', column: 'original_blob', key: 'id' },
  { table: 'kyc_documents', column: 'thumbnail_blob', key: 'id' },
  { table: 'media', column: 'name', key: 'name' },
];
