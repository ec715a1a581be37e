import { blobsOf, storeDocument, sealName } from '../../../db/kyc/document/document-file';
import type { NewDocument } from '../../../db/kyc/document/document.writes';
import { refusalIn } from '../../../workflows/errors';
import { cleanedFileName } from '../../../workflows/kyc/document.rules';
import type { KycDocumentType } from '../../../workflows/kyc/kyc.rules';
import type { PreparedDocument } from '../../http/body/document-preparer';
import type { Context } from '../../http/handler-context';
import { removeUnwanted } from '../../media/stored-picture';

/**
 * Stores the sealed files of a document of the caller, and adds its row by `add`. When that refuses, the files are removed
 * at once; after a failure, which may have committed, retention removes those that no row has.
 */
export async function storeUploaded<Added>(
  context: Context<'user'>,
  type: KycDocumentType,
  { content, contentType, sentType, thumbnail }: PreparedDocument,
  add: (document: NewDocument) => Promise<Added>,
): Promise<Added> {
  const { blobs, caller, db, identity, mint, request } = context;
  const { document: id } = await mint('document');
  const keys = identity.sealing;
  const kept = await storeDocument(
    { blobs, db, keys },
    // Recognised by the bytes as they came: a drawn picture is another one with each version of the program that draws.
    { documentId: id, userId: caller.id, type, content, thumbnail, sent: request.file },
  );
  try {
    return await add({
      ...{ id, userId: caller.id, type, contentType: sentType, bytes: request.file.length },
      nameSealed: sealName(keys, id, cleanedFileName(request.fileName, { type, contentType: sentType })),
      fileContentType: contentType,
      ...kept,
    });
  } catch (error) {
    if (refusalIn(error)) await removeUnwanted(context, blobsOf(kept));
    throw error;
  }
}
