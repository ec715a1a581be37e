import { v7 } from 'uuid';
import { diskBlobs } from '../../../../db/blobs/disk';
import { claimBlobs } from '../../../../db/blobs/discarded.writes';
import { blobsOf, storeDocument, sealName } from '../../../../db/kyc/document/document-file';
import { addKycEvent } from '../../../../db/kyc/history/history.writes';
import { sealPersonalInfo } from '../../../../db/kyc/verification/personal-info';
import type { KeyRing } from '../../../../db/sealing/key-ring';
import { execute } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type {
  KycAction,
  KycContentType,
  KycDocumentType,
  PersonalInfo,
} from '../../../../workflows/kyc/kyc.rules';
import { kycReviewProcess, submitVerification } from '../../../../workflows/kyc/review/kyc-review.contract';
import type { KycVerificationStatus } from '../../../../workflows/kyc/review/kyc-review.states';
import { insert } from '../../../support/builders/make/insert';
import { make } from '../../../support/builders/make';
import type { User } from '../../../support/builders/make/people';
import { personalInfo } from '../../../support/builders/kyc/personal-info';
import { testKeys } from '../../../support/worlds/variables';
import type { World } from '../../../support/worlds/world';

type Platform = Pick<World, 'db' | 'blobDir'>;

interface DocumentOptions {
  type?: KycDocumentType;
  contentType?: KycContentType;
  /** The bytes that reviewers are shown. */
  content?: string;
  /** The uploaded bytes; by default those that are shown. */
  sent?: string;
  name?: string;
  thumbnail?: string | null;
  status?: 'UPLOADED' | 'ACCEPTED' | 'REJECTED';
  reason?: string | null;
  keys?: KeyRing;
  uploadedAt?: Date;
}

interface CaseOptions {
  user?: User;
  status?: KycVerificationStatus;
  priority?: 'HIGH' | 'NORMAL' | 'LOW';
  requestedLevel?: 'STANDARD' | 'ENHANCED';
  info?: Partial<PersonalInfo>;
  keys?: KeyRing;
  submittedAt?: Date;
  decidedAt?: Date;
  assignedTo?: string;
  decidedBy?: string;
  rejectionReason?: string;
  canResubmit?: boolean;
  isFraud?: boolean;
  level?: 'BASIC' | 'STANDARD' | 'ENHANCED';
}

/** A verification in any status without its process; `userId` is its user's. */
export async function verificationIn(
  { db }: Platform,
  options: CaseOptions = {},
): Promise<{ id: string; user: User }> {
  const { status = 'SUBMITTED', keys = testKeys } = options;
  const user = options.user ?? (await make.user(db));
  const id = v7();
  const at = options.submittedAt ?? new Date();
  const sealed = sealPersonalInfo(keys, id, { ...personalInfo, documentNumber: id, ...options.info });
  const isQueued = ['SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO'].includes(status);
  const isDecided = ['APPROVED', 'REJECTED', 'SUPERSEDED'].includes(status);
  const isSubmitted = status !== 'DOCUMENTS_PENDING';
  await insert(db, 'kyc_verifications', {
    ...{ id, user_id: user.id, status, requested_level: options.requestedLevel ?? 'STANDARD' },
    level: options.level ?? (isDecided && status !== 'REJECTED' ? 'STANDARD' : null),
    personal_info: sealed.personalInfo,
    document_number_mac: sealed.documentNumberMac,
    document_number_key: sealed.documentNumberKey,
    priority: options.priority,
    first_submitted_at: isSubmitted ? at : null,
    submitted_at: isSubmitted ? at : null,
    due_at: isQueued ? new Date(at.getTime() + 48 * 3_600_000) : null,
    assigned_to: options.assignedTo,
    claimed_at: options.assignedTo && at,
    claim_lapses_at: options.assignedTo && new Date(at.getTime() + 8 * 3_600_000),
    decided_at: options.decidedAt ?? (isDecided ? at : null),
    decided_by: options.decidedBy,
    rejection_reason: options.rejectionReason ?? (status === 'REJECTED' ? 'DOCUMENT_BLURRY' : null),
    can_resubmit: options.canResubmit,
    is_fraud: options.isFraud,
    expires_at: status === 'APPROVED' ? new Date('2030-01-01T00:00:00Z') : null,
    ...{ created_at: at, updated_at: at },
  });
  return { id, user };
}

/** A document that a verification holds, with sealed files; answers its id. */
export async function documentIn(
  { db, blobDir }: Platform,
  { id: kycId, user }: { id: string; user: Pick<User, 'id'> },
  options: DocumentOptions = {},
): Promise<string> {
  const { type = 'PASSPORT', contentType = 'image/jpeg', content = `a ${type} of ${kycId}` } = options;
  const {
    sent = content,
    name = `${type}.jpg`,
    thumbnail = `a small ${type}`,
    status = 'UPLOADED',
    keys = testKeys,
  } = options;
  const id = v7();
  const kept = await storeDocument(
    { blobs: diskBlobs(blobDir), db, keys },
    {
      ...{ documentId: id, userId: user.id, type, content: Buffer.from(content) },
      sent: Buffer.from(sent),
      thumbnail: thumbnail === null ? null : Buffer.from(thumbnail),
    },
  );
  await inTransaction(db, async (tx) => {
    await claimBlobs(tx, blobsOf(kept));
    await insert(tx, 'kyc_documents', {
      ...{ id, user_id: user.id, type, content_type: contentType },
      ...{
        name_sealed: sealName(keys, id, name),
        file_content_type: contentType,
        original_blob: kept.originalBlob,
      },
      ...{ bytes: content.length, file_blob: kept.fileBlob, thumbnail_blob: kept.thumbnailBlob },
      ...{ data_key: kept.dataKey, content_mac: kept.contentMac, content_key: kept.contentKey },
      uploaded_at: options.uploadedAt ?? new Date(),
    });
    await insert(tx, 'kyc_verification_documents', {
      ...{ kyc_id: kycId, document_id: id, status, reason: options.reason },
    });
  });
  return id;
}

/** An event in the history of a verification. */
export const eventIn = (
  { db }: Platform,
  kycId: string,
  {
    performedBy = null,
    note = null,
    at = new Date(),
    action,
  }: { action: KycAction; performedBy?: string | null; note?: string | null; at?: Date },
): Promise<void> => inTransaction(db, (tx) => addKycEvent(tx, { kycId, action, performedBy, note, at }));

/** Leaves no verification, for tests that count them. */
export async function removeCases({ owner }: Pick<World, 'owner'>): Promise<void> {
  for (const table of ['kyc_history', 'kyc_verification_documents', 'kyc_documents', 'kyc_verifications'])
    await execute(owner, `DELETE FROM ${table}`);
}

/** A verification of a new user that is submitted, with the documents of its level, and waits in its process. */
export async function submittedCase(
  world: Platform & Pick<World, 'processes'>,
  options: Omit<CaseOptions, 'status'> = {},
): Promise<{ id: string; user: User; documents: Partial<Record<KycDocumentType, string>> }> {
  const made = await verificationIn(world, { ...options, status: 'DOCUMENTS_PENDING' });
  const isEnhanced = options.requestedLevel === 'ENHANCED';
  const documents: Partial<Record<KycDocumentType, string>> = {};
  for (const type of [
    ...(['PASSPORT', 'SELFIE'] as const),
    ...(isEnhanced ? (['ADDRESS_PROOF', 'INCOME_PROOF'] as const) : []),
  ])
    documents[type] = await documentIn(world, made, { type });
  await submit(world, made);
  return { ...made, documents };
}

/** The user of a verification submits it. */
export const submit = (
  { processes }: Pick<World, 'processes'>,
  { id, user }: { id: string; user: Pick<User, 'id'> },
): Promise<unknown> =>
  processes.open(
    kycReviewProcess,
    { kycId: id, userId: user.id },
    submitVerification,
    { submissionId: v7() },
    { updateId: v7() },
  );
