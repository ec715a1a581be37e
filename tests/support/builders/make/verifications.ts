import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { execute, type Db } from '../../../../db/sql/query';
import type { KycDocumentType, PersonalInfo } from '../../../../workflows/kyc/kyc.rules';
import type { KycVerificationStatus } from '../../../../workflows/kyc/review/kyc-review.states';
import { testKeys } from '../../worlds/variables';
import { insert } from './insert';
import { superAdmin, user } from './people';

export interface VerificationDocument {
  id: string;
  type: KycDocumentType;
  fileBlob: string;
  thumbnailBlob: string | null;
}

export interface Verification {
  id: string;
  userId: string;
  status: KycVerificationStatus;
  documents: readonly VerificationDocument[];
}

interface VerificationOptions {
  userId?: string;
  /** Sets the status and the level of the user, too. */
  status?: KycVerificationStatus;
  info?: Partial<PersonalInfo>;
  /** Types of new documents; or earlier documents, which it holds as well. */
  documents?: readonly (KycDocumentType | VerificationDocument)[];
  /** The names of the blobs of new documents; by default there are none of these names. */
  blobName?: () => Promise<string>;
  /** When it was begun, submitted, decided and ended. */
  at?: Date;
  decidedBy?: string;
  requestedMessage?: string | null;
}

const INFO: PersonalInfo = {
  ...{ firstName: 'Augusta', lastName: 'Byron', middleName: null, dateOfBirth: '1985-12-10' },
  ...{ nationality: 'DE', documentNumber: 'C01X00T47', documentType: 'PASSPORT' },
  ...{ documentIssueDate: '2020-05-01', documentExpiryDate: '2030-05-01' },
  address: {
    ...{ country: 'DE', region: 'Berlin', city: 'Berlin', street: 'Invalidenstr.', building: '1' },
    ...{ apartment: null, postalCode: '10115' },
  },
};

const IN_REVIEW: readonly KycVerificationStatus[] = ['SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO'];
const APPROVALS: readonly KycVerificationStatus[] = ['APPROVED', 'SUPERSEDED'];
const ENDED: readonly KycVerificationStatus[] = ['EXPIRED', 'SUPERSEDED', 'WITHDRAWN'];

/** An identity verification without a process, by default SUBMITTED, with a passport and a selfie. */
export async function verification(db: Db, options: VerificationOptions = {}): Promise<Verification> {
  const { status = 'SUBMITTED', at = new Date(), documents = ['PASSPORT', 'SELFIE'] } = options;
  const isApproval = APPROVALS.includes(status);
  const isDecided = isApproval || status === 'REJECTED';
  const id = v7();
  const userId = options.userId ?? (await user(db)).id;
  const reviewer = options.decidedBy ?? (await superAdmin(db)).id;
  const info = { ...INFO, ...options.info };
  const { keyId, mac } = testKeys.mac(Buffer.from(info.documentNumber), 'kyc-document-number');
  await insert(db, 'kyc_verifications', {
    ...{ id, user_id: userId, status, requested_level: 'STANDARD' },
    level: isApproval ? 'STANDARD' : null,
    personal_info: testKeys.seal(Buffer.from(JSON.stringify(info)), `kyc-personal:${id}`),
    ...{ document_number_mac: mac, document_number_key: keyId },
    ...(status !== 'DOCUMENTS_PENDING' && { first_submitted_at: at, submitted_at: at, submission_id: v7() }),
    due_at: IN_REVIEW.includes(status) ? new Date(at.getTime() + 6 * 86_400_000) : null,
    ...(status === 'UNDER_REVIEW' && {
      assigned_to: reviewer,
      claimed_at: at,
      claim_lapses_at: new Date(at.getTime() + 30 * 86_400_000),
    }),
    requested_message:
      options.requestedMessage && testKeys.seal(Buffer.from(options.requestedMessage), `kyc-requested:${id}`),
    ...(isDecided && { decided_at: at, decided_by: reviewer }),
    rejection_reason: status === 'REJECTED' ? 'DOCUMENT_BLURRY' : null,
    expires_at: isApproval ? new Date(at.getTime() + 730 * 86_400_000) : null,
    ended_at: ENDED.includes(status) ? at : null,
    ...{ created_at: at, updated_at: at },
  });
  if (status === 'APPROVED' && options.userId === undefined)
    await execute(db, `UPDATE users SET kyc_level = 'STANDARD', kyc_status = 'APPROVED' WHERE id = $1`, [
      userId,
    ]);
  const held: VerificationDocument[] = [];
  for (const document of documents)
    held.push(typeof document === 'string' ? await newDocument(db, userId, document, at, options) : document);
  for (const document of held)
    await insert(db, 'kyc_verification_documents', { kyc_id: id, document_id: document.id });
  return { id, userId, status, documents: held };
}

async function newDocument(
  db: Db,
  userId: string,
  type: KycDocumentType,
  at: Date,
  { blobName = () => Promise.resolve(randomBytes(32).toString('hex')) }: VerificationOptions,
): Promise<VerificationDocument> {
  const document = { id: v7(), type, fileBlob: await blobName(), thumbnailBlob: await blobName() };
  await insert(db, 'kyc_documents', {
    ...{ id: document.id, user_id: userId, type, content_type: 'image/jpeg', bytes: 4_096 },
    ...{ file_content_type: 'image/jpeg', name_sealed: randomBytes(60) },
    ...{ file_blob: document.fileBlob, thumbnail_blob: document.thumbnailBlob },
    ...{ data_key: randomBytes(60), content_mac: document.fileBlob, content_key: 'test', uploaded_at: at },
  });
  return document;
}
