import { v7 } from 'uuid';
import { execute, firstRow, rows, type Db } from '../../../../db/sql/query';
import type { KycDocumentType, PersonalInfo, RequestableLevel } from '../../../../workflows/kyc/kyc.rules';
import { make } from '../make';
import { insert } from '../make/insert';
import type { User } from '../make/people';

/** A verification with its user and documents, not submitted. */
export interface MadeVerification {
  kycId: string;
  userId: string;
  user: Pick<User, 'id' | 'email'>;
  documentIds: Partial<Record<KycDocumentType, string>>;
}

interface VerificationOptions {
  user?: Pick<User, 'id' | 'email'>;
  requestedLevel?: RequestableLevel;
  documents?: readonly KycDocumentType[];
  info?: Partial<PersonalInfo>;
  at?: Date;
}

/** The documents that each level needs. */
export const NEEDED: Readonly<Record<RequestableLevel, readonly KycDocumentType[]>> = {
  STANDARD: ['PASSPORT', 'SELFIE'],
  ENHANCED: ['PASSPORT', 'SELFIE', 'ADDRESS_PROOF', 'INCOME_PROOF'],
};

/** A verification that its user has begun, with uploaded documents; by default all that its level needs. */
export async function begunVerification(
  db: Db,
  { requestedLevel = 'STANDARD', at = new Date(), ...options }: VerificationOptions = {},
): Promise<MadeVerification> {
  const user = options.user ?? (await make.user(db));
  const { documents: types = NEEDED[requestedLevel], info = {} } = options;
  const made = await make.verification(db, {
    ...{ userId: user.id, status: 'DOCUMENTS_PENDING', documents: types, info, at },
  });
  await execute(db, 'UPDATE kyc_verifications SET requested_level = $2 WHERE id = $1', [
    made.id,
    requestedLevel,
  ]);
  await execute(db, `UPDATE users SET kyc_status = 'DOCUMENTS_PENDING' WHERE id = $1`, [user.id]);
  await insert(db, 'kyc_history', {
    ...{ id: v7(), kyc_id: made.id, action: 'STARTED', performed_by: user.id, at },
  });
  for (const type of types) await countUpload(db, user.id, type);
  const documentIds = Object.fromEntries(made.documents.map(({ id, type }) => [type, id]));
  return { kycId: made.id, userId: user.id, user, documentIds };
}

/** Uploads a document for a verification, as its row only; answers its id. */
export async function uploadedDocument(
  db: Db,
  { kycId, userId, type }: Pick<MadeVerification, 'kycId' | 'userId'> & { type: KycDocumentType },
): Promise<string> {
  const id = v7();
  await insert(db, 'kyc_documents', {
    ...{ id, user_id: userId, type, content_type: 'image/jpeg', bytes: 1_000, file_blob: id },
    ...{ file_content_type: 'image/jpeg', name_sealed: Buffer.from('sealed') },
    ...{ data_key: Buffer.from('sealed'), content_mac: id, content_key: 'test', uploaded_at: new Date() },
  });
  await insert(db, 'kyc_verification_documents', { kyc_id: kycId, document_id: id });
  await countUpload(db, userId, type);
  return id;
}

const countUpload = (db: Db, userId: string, type: KycDocumentType): Promise<number> =>
  execute(
    db,
    `INSERT INTO kyc_document_tries (user_id, type, uploads) VALUES ($1, $2, 1)
       ON CONFLICT (user_id, type) DO UPDATE SET uploads = kyc_document_tries.uploads + 1`,
    [userId, type],
  );

/** A verification with its user's status and level, its documents, and what was recorded about it since it began. */
export async function verificationState(db: Db, kycId: string) {
  const row = await firstRow<{
    status: string;
    priority: string;
    level: string | null;
    dueAt: Date | null;
    expiresAt: Date | null;
    assignedTo: string | null;
    decidedBy: string | null;
    rejectionReason: string | null;
    canResubmit: boolean;
    userStatus: string;
    userLevel: string;
  }>(
    db,
    `SELECT k.status, k.priority, k.level, k.due_at, k.expires_at, k.assigned_to, k.decided_by, k.rejection_reason,
            k.can_resubmit, u.kyc_status AS user_status, u.kyc_level AS user_level
       FROM kyc_verifications k JOIN users u ON u.id = k.user_id WHERE k.id = $1`,
    [kycId],
  );
  if (!row) throw new Error(`There is no verification ${kycId}.`);
  const documents = await rows<{ type: KycDocumentType; status: string; reason: string | null }>(
    db,
    `SELECT d.type, v.status, v.reason FROM kyc_documents d JOIN kyc_verification_documents v ON v.document_id = d.id
      WHERE v.kyc_id = $1 ORDER BY d.uploaded_at, d.id`,
    [kycId],
  );
  const history = await rows<{ action: string }>(
    db,
    `SELECT action FROM kyc_history WHERE kyc_id = $1 AND action <> 'STARTED' ORDER BY at, id`,
    [kycId],
  );
  const audited = await rows<{ action: string }>(
    db,
    `SELECT action FROM audit_records WHERE entity_type = 'kyc' AND entity_id = $1 ORDER BY sequence`,
    [kycId],
  );
  const mails = await rows<{ reference: string }>(
    db,
    `SELECT reference FROM outbox_messages WHERE reference LIKE $1 ORDER BY created_at, id`,
    [`kyc:${kycId}:%`],
  );
  const events = await rows<{ type: string }>(
    db,
    'SELECT type FROM domain_events WHERE entity_id = $1 ORDER BY occurred_at, id',
    [kycId],
  );
  return {
    ...row,
    documents: documents.map(({ type, status, reason }) =>
      [type, status, ...(reason ? [reason] : [])].join(' '),
    ),
    history: history.map(({ action }) => action),
    audited: audited.map(({ action }) => action),
    mails: mails.map(({ reference }) => reference.split(':')[2]),
    events: events.map(({ type }) => type),
  };
}
