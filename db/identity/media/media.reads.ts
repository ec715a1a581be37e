import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import type { Media } from './media.model';

/** A public picture or document as it is served. */
export type PublicMedia = Pick<Attributes<Media>, 'name' | 'contentType'>;

/** The public picture or document of this name, or null. */
export function publicMedia(db: Db, name: string): Promise<PublicMedia | null> {
  return firstRow<PublicMedia>(db, 'SELECT name, content_type FROM media WHERE name = $1', [name]);
}
