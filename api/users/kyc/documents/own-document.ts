import { z } from 'zod';
import { ownDocument, type OwnDocument } from '../../../../db/kyc/document/document.reads';
import type { Db } from '../../../../db/sql/query';
import { refusal } from '../../../../workflows/errors';
import { idOf } from '../../../http/request/ids/id-of';

export const documentParams = z.object({ id: idOf('identity document') });

/** The refusal for an id that none of the caller's documents has. */
export const noSuchDocument = () => refusal('DOCUMENT_NOT_FOUND');

/** A document of this user. Refuses with DOCUMENT_NOT_FOUND, also for the document of another. */
export async function requireOwnDocument(db: Db, userId: string, id: string): Promise<OwnDocument> {
  const document = await ownDocument(db, userId, id);
  if (!document) throw noSuchDocument();
  return document;
}
