import type { Attributes } from 'sequelize';
import { storeBlob } from '../../blobs/discarded.writes';
import type { BlobStore } from '../../blobs/port';
import type { KeyRing, Mac } from '../../sealing/key-ring';
import { sealPurposes } from '../../sealing/purposes';
import {
  newFileSecret,
  openFile,
  openFileSecret,
  sealFile,
  sealFileSecret,
  type FileSecret,
} from '../../sealing/sealed-file';
import type { Db } from '../../sql/query';
import type { KycDocument } from './kyc-document.model';

type Document = Attributes<KycDocument>;

/** The document that a file is of. It is part of every seal, so that files and keys cannot be swapped between rows. */
export type DocumentIdentity = Pick<Document, 'userId' | 'type'> & { documentId: string };

/** The uploaded file, the file that reviewers are shown, or its small picture. */
export type DocumentPart = 'original' | 'file' | 'thumbnail';

/** The name of the uploaded file, sealed for its document. */
export const sealName = (keys: KeyRing, documentId: string, name: string): Buffer =>
  keys.seal(Buffer.from(name), sealPurposes.documentName(documentId));

/** The name of the uploaded file of a document. Throws Unsealable. */
export const openName = (keys: KeyRing, { id, nameSealed }: Pick<Document, 'id' | 'nameSealed'>): string =>
  keys.open(nameSealed, sealPurposes.documentName(id)).toString();

/** A new document. */
export interface NewDocumentFile extends DocumentIdentity {
  /** The bytes as they are shown to reviewers. */
  content: Uint8Array;
  thumbnail: Uint8Array | null;
  /** The bytes as they were sent, which their user gets back, and by which the same file is recognised. */
  sent: Uint8Array;
}

/** The columns of a document's row that its files are found, opened and recognised by. */
export type StoredDocumentFile = Pick<
  Document,
  'originalBlob' | 'fileBlob' | 'thumbnailBlob' | 'dataKey' | 'contentMac' | 'contentKey'
>;

/** A document's row as its files are opened by it. */
export type DocumentFileRow = Pick<
  Document,
  'id' | 'userId' | 'type' | 'originalBlob' | 'fileBlob' | 'thumbnailBlob' | 'dataKey'
>;

/**
 * The keyed code of a document, by which the same file is recognised under another account, made of its row alone. Throws
 * Unsealable.
 */
export const contentCodeOf = (
  keys: KeyRing,
  { id: documentId, userId, type, dataKey }: Pick<DocumentFileRow, 'id' | 'userId' | 'type' | 'dataKey'>,
): Mac => codeOf(keys, openFileSecret(keys, dataKey, sealPurposes.documentKey({ documentId, userId, type })));

const codeOf = (keys: KeyRing, { digest }: FileSecret): Mac => keys.mac(digest, 'kyc-document-content');

/**
 * Stores a document's files, sealed, until its row claims their blobs (`claimBlobs`, in the transaction that inserts the
 * row); retention removes blobs that are never claimed.
 */
export async function storeDocument(
  { blobs, db, keys }: { blobs: BlobStore; db: Db; keys: KeyRing },
  { content, thumbnail, sent, ...identity }: NewDocumentFile,
): Promise<StoredDocumentFile> {
  const secret = newFileSecret(sent);
  const keep = (bytes: Uint8Array, part: DocumentPart): Promise<string> =>
    storeBlob(db, blobs, sealFile(secret.dataKey, bytes, bindingOf(identity, part)));
  const isShownAsSent = Buffer.compare(sent, content) === 0;
  const originalBlob = isShownAsSent ? null : await keep(sent, 'original');
  const fileBlob = await keep(content, 'file');
  const thumbnailBlob = thumbnail && (await keep(thumbnail, 'thumbnail'));
  const dataKey = sealFileSecret(keys, secret, sealPurposes.documentKey(identity));
  const { keyId, mac } = codeOf(keys, secret);
  return { originalBlob, fileBlob, thumbnailBlob, dataKey, contentMac: mac, contentKey: keyId };
}

/**
 * The bytes of a part of a document; null if it has none, or its blob is gone. Throws Unsealable if they or the row were
 * altered, or their master key is not on the ring.
 */
export async function openDocument(
  { blobs, keys }: { blobs: Pick<BlobStore, 'get'>; keys: KeyRing },
  document: DocumentFileRow,
  wanted: DocumentPart,
): Promise<Buffer | null> {
  const { id, userId, type, dataKey } = document;
  const part = wanted === 'original' && document.originalBlob === null ? 'file' : wanted;
  const name = document[`${part}Blob`];
  const sealed = name === null ? null : await blobs.get(name);
  if (sealed === null) return null;
  const identity = { documentId: id, userId, type };
  const secret = openFileSecret(keys, dataKey, sealPurposes.documentKey(identity));
  return openFile(secret.dataKey, sealed, bindingOf(identity, part));
}

/** The columns of a document that name its blobs. */
export type DocumentBlobs = Pick<Document, 'originalBlob' | 'fileBlob' | 'thumbnailBlob'>;

/** The names of the blobs of a document. */
export const blobsOf = ({ originalBlob, fileBlob, thumbnailBlob }: DocumentBlobs): string[] =>
  [originalBlob, fileBlob, thumbnailBlob].filter((name) => name !== null);

const bindingOf = ({ documentId, userId, type }: DocumentIdentity, part: DocumentPart): string =>
  `kyc-document:${documentId}:${userId}:${type}:${part}`;
