import { randomUUID } from 'node:crypto';
import { openKept, sealKept } from '../../../api/auth/two-factor/undo/stored-factor';
import { storeNote, readNote } from '../../../db/administration/idempotency/request-note.writes';
import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { openMessage, type ClaimedMessage } from '../../../db/administration/outbox/outbox.transitions';
import { diskBlobs } from '../../../db/blobs/disk';
import { providerSecrets } from '../../../db/investment/provider/provider.reads';
import {
  storeDocument,
  sealName,
  openDocument,
  type DocumentFileRow,
} from '../../../db/kyc/document/document-file';
import { openNumber } from '../../../db/kyc/number/document-number';
import { storeSubmittedNumber } from '../../../db/kyc/number/submitted-number.writes';
import { addKycEvent } from '../../../db/kyc/history/history.writes';
import { openRequestedMessage, sealRequestedMessage } from '../../../db/kyc/verification/requested-message';
import { openPersonalInfo, sealPersonalInfo } from '../../../db/kyc/verification/personal-info';
import { verificationOf } from '../../../db/kyc/verification/verification.reads';
import type { KeyRing } from '../../../db/sealing/key-ring';
import { sealPurposes } from '../../../db/sealing/purposes';
import { execute, firstRow, type Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { personalInfo } from '../../support/builders/kyc/personal-info';
import { bankFileSecrets, openedBankFile, type BankFileSecrets } from './bank-file-secrets';
import { investmentSecrets, type InvestmentSecrets } from './investment-secrets';

/** The rows of somebody who has one secret of every kind. */
export interface Secrets extends InvestmentSecrets, BankFileSecrets {
  userId: string;
  tokenId: string;
  codeId: string;
  mailTo: string;
  kycId: string;
  documentId: string;
  noteId: string;
  eventId: string;
}

/** Stores one secret of every kind under a ring, as the programs do, and an audit record. */
export async function secretsUnder(db: Db, keys: KeyRing, folder: string): Promise<Secrets> {
  const { id: userId, email: mailTo } = await make.user(db);
  const [tokenId, codeId, kycId, documentId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const [noteId, eventId] = [randomUUID(), randomUUID()];
  const write = (statement: string, ...values: unknown[]) => execute(db, statement, values);
  const totp = keys.seal(Buffer.from('JBSWY3DPEHPK3PXP'), sealPurposes.totp(userId));
  await write(
    `UPDATE users SET payout_method = 'CARD', payout_masked = '•', payout_changed_at = now(), payout_sealed = $2
      WHERE id = $1`,
    userId,
    keys.seal(Buffer.from('4242'), sealPurposes.payoutDetails(userId)),
  );
  await write(
    `INSERT INTO second_factors (user_id, method, secret_sealed, created_at) VALUES ($1, 'TOTP', $2, now())`,
    userId,
    totp,
  );
  await write(
    `INSERT INTO sent_codes (id, user_id, purpose, channel, destination, code_sealed, created_at, expires_at)
     VALUES ($1, $2, 'SETUP', 'EMAIL', 'x', $3, now(), now())`,
    codeId,
    userId,
    keys.seal(Buffer.from('123456'), sealPurposes.sentCode(codeId)),
  );
  await write(
    `INSERT INTO mailed_tokens (id, user_id, purpose, token_hash, created_at, expires_at, undo_sealed)
     VALUES ($1::uuid, $2, 'UNDO_TWO_FACTOR_OFF', $1::uuid::text, now(), now(), $3)`,
    tokenId,
    userId,
    sealKept(keys, tokenId, { method: 'TOTP', secretSealed: totp, lastStep: 1, codeHashes: ['h'] }),
  );
  const info = sealPersonalInfo(keys, kycId, personalInfo);
  await write(
    `INSERT INTO kyc_verifications (id, user_id, status, requested_level, personal_info, document_number_mac,
         document_number_key, requested_message, created_at, updated_at)
     VALUES ($1, $2, 'DOCUMENTS_PENDING', 'STANDARD', $3, $4, $5, $6, now(), now())`,
    ...[kycId, userId, info.personalInfo, info.documentNumberMac, info.documentNumberKey],
    sealRequestedMessage(keys, kycId, 'the whole page'),
  );
  const document = { documentId, userId, type: 'PASSPORT' as const };
  const content = Buffer.from('a passport');
  const blobs = diskBlobs(folder);
  const file = await storeDocument(
    { blobs, db, keys },
    { ...document, content, sent: content, thumbnail: null },
  );
  await write(
    `INSERT INTO kyc_documents (id, user_id, type, content_type, file_content_type, bytes, name_sealed, file_blob, data_key, content_mac, content_key,
         uploaded_at) VALUES ($1, $2, 'PASSPORT', 'image/png', 'image/png', 1, $7, $3, $4, $5, $6, now())`,
    ...[
      documentId,
      userId,
      file.fileBlob,
      file.dataKey,
      file.contentMac,
      file.contentKey,
      sealName(keys, documentId, 'my passport.png'),
    ],
  );
  await inTransaction({ ...db, keys }, async (tx) => {
    const { documentNumber } = personalInfo;
    await storeSubmittedNumber(tx, keys, { kycId, documentNumber }, new Date());
    await storeNote(tx, noteId, { actorId: userId, clientAddress: '192.0.2.7', text: 'a note' });
    const event = { kycId, action: 'CLAIMED', performedBy: null, at: new Date() } as const;
    await addKycEvent(tx, { ...event, id: eventId, note: 'a word' });
    await enqueueMail(tx, { reference: codeId, to: mailTo, subject: 's', text: 'secret', html: 'h' });
    await recordAudit(tx, {
      ...{ actorId: null, action: 'user.update', entityId: userId },
      ...{ previous: null, next: null, clientAddress: null, at: new Date() },
    });
  });
  return {
    userId,
    tokenId,
    codeId,
    mailTo,
    kycId,
    documentId,
    ...{ noteId, eventId },
    ...(await investmentSecrets(db, keys, userId)),
    ...(await bankFileSecrets(db, keys, userId)),
  };
}

/** Opens every secret by a ring, and answers what each says. Throws Unsealable. */
export async function opened(db: Db, keys: KeyRing, folder: string, of: Secrets): Promise<object> {
  const sealed = async (statement: string, id: string): Promise<Buffer> =>
    (await firstRow<{ sealed: Buffer }>(db, statement, [id]))!.sealed;
  const payout = await sealed('SELECT payout_sealed AS sealed FROM users WHERE id = $1', of.userId);
  const totp = await sealed(
    'SELECT secret_sealed AS sealed FROM second_factors WHERE user_id = $1',
    of.userId,
  );
  const code = await sealed('SELECT code_sealed AS sealed FROM sent_codes WHERE id = $1', of.codeId);
  const undo = await sealed('SELECT undo_sealed AS sealed FROM mailed_tokens WHERE id = $1', of.tokenId);
  const withdrawal = await sealed(
    'SELECT details AS sealed FROM investment_withdrawals WHERE id = $1',
    of.withdrawalId,
  );
  const destination = await sealed('SELECT details AS sealed FROM payouts WHERE id = $1', of.payoutId);
  const report = await sealed('SELECT data AS sealed FROM kyc_provider_reports WHERE id = $1', of.reportId);
  const note = await sealed('SELECT note AS sealed FROM kyc_history WHERE id = $1', of.eventId);
  const kept = openKept(keys, of.tokenId, undo);
  const message = await firstRow<ClaimedMessage>(db, 'SELECT * FROM outbox_messages WHERE reference = $1', [
    of.codeId,
  ]);
  const document = await firstRow<DocumentFileRow>(db, 'SELECT * FROM kyc_documents WHERE id = $1', [
    of.documentId,
  ]);
  const number = await firstRow<{ id: string; sealed: Buffer }>(
    db,
    'SELECT id, number_sealed AS sealed FROM kyc_document_numbers WHERE kyc_id = $1',
    [of.kycId],
  );
  const file = await openDocument({ blobs: diskBlobs(folder), keys }, document!, 'file');
  return {
    payout: keys.open(payout, sealPurposes.payoutDetails(of.userId)).toString(),
    totp: keys.open(totp, sealPurposes.totp(of.userId)).toString(),
    code: keys.open(code, sealPurposes.sentCode(of.codeId)).toString(),
    undo: {
      ...kept,
      secretSealed: keys.open(kept.secretSealed!, sealPurposes.totp(of.userId)).toString(),
    },
    mail: openMessage({ ...db, keys }, message!).content,
    personalInfo: openPersonalInfo(keys, (await verificationOf(db, of.kycId))!),
    requested: openRequestedMessage(keys, (await verificationOf(db, of.kycId))!),
    note: (await readNote({ ...db, keys }, of.noteId)).text,
    event: keys.open(note, sealPurposes.kycNote(of.eventId)).toString(),
    document: file!.toString(),
    number: openNumber(keys, number!.id, number!.sealed),
    provider: (await providerSecrets(db, keys, of.providerCode, 'SSO', new Date()))[0],
    withdrawal: keys.open(withdrawal, sealPurposes.investmentWithdrawal(of.withdrawalId)).toString(),
    destination: keys.open(destination, sealPurposes.payoutDestination(of.payoutId)).toString(),
    report: keys.open(report, sealPurposes.kycProviderReport(of.reportId)).toString(),
    ...(await openedBankFile(db, keys, of)),
  };
}

/** The answer of `opened` for `secretsUnder`. */
export const allOfThem = {
  payout: '4242',
  totp: 'JBSWY3DPEHPK3PXP',
  code: '123456',
  undo: { method: 'TOTP', secretSealed: 'JBSWY3DPEHPK3PXP', lastStep: 1, codeHashes: ['h'] },
  mail: { subject: 's', text: 'secret', html: 'h' },
  personalInfo,
  requested: 'the whole page',
  note: 'a note',
  event: 'a word',
  document: 'a passport',
  number: personalInfo.documentNumber,
  provider: 'a-sso-key',
  withdrawal: 'an account',
  destination: 'a card',
  report: 'a report',
  bankFile: 'a bank file',
  bankFileTransfer: 'an IBAN',
};
