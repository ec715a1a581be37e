import { firstRow, type Db } from '../../sql/query';

/** What everyone may know of a public picture. */
export interface PublicMedia {
  name: string;
  contentType: string;
}

/** The public picture of this name, or null. */
export function publicMedia(db: Db, name: string): Promise<PublicMedia | null> {
  return firstRow<PublicMedia>(db, 'SELECT name, content_type FROM media WHERE name = $1', [name]);
}
