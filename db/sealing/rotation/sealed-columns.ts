import { contentCodeOf } from '../../kyc/document/document-file';
import { documentNumberCode, openNumber } from '../../kyc/number/document-number';
import { openPersonalInfo } from '../../kyc/verification/personal-info';
import type { KycDocumentType } from '../../../workflows/kyc/kyc.rules';
import type { KeyRing, Mac } from '../key-ring';
import { sealPurposes } from '../purposes';

/** A row with something sealed, and what the purposes of its seals name. */
export interface SealedRow {
  id: string;
  /** Empty where the column does not say. */
  userId: string;
  type: KycDocumentType;
  sealed: Buffer;
}

interface Column {
  table: string;
  /** The primary key, a uuid. */
  key: string;
  /** SQL for the user's id and the type of document, where a purpose names them. */
  userId?: string;
  type?: string;
  /** The sealed column; null in rows that have nothing to seal. */
  column: string;
}

/** A column of sealed secrets. */
export interface SealedColumn extends Column {
  purposeOf: (row: SealedRow) => string;
  /** The seals within the secret, which are sealed anew with it. */
  within?: (keys: KeyRing, secret: Buffer, row: SealedRow) => SealsWithin;
}

interface SealsWithin {
  sealed: readonly Buffer[];
  /** The secret with its seals made anew. Throws Unsealable. */
  renewed: () => Buffer;
}

/**
 * A keyed code, by which equal values are recognised, and the column that names its key. Where the sealed column is null,
 * the code cannot be made anew, and its key stays on the ring.
 */
export interface KeyedCode extends Column {
  mac: string;
  macKey: string;
  /** The code under the key that seals, made of the sealed column. Throws Unsealable. */
  codeOf: (keys: KeyRing, row: SealedRow) => Mac | null;
}

/** Every sealed column; a test compares the list with the schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    ...{ table: 'bank_file_transfers', key: 'id', column: 'destination' },
    purposeOf: ({ id }) => sealPurposes.bankFileTransfer(id),
  },
  {
    ...{ table: 'bank_files', key: 'id', column: 'content' },
    purposeOf: ({ id }) => sealPurposes.bankFile(id),
  },
  {
    ...{ table: 'investment_provider_secrets', key: 'id', column: 'secret' },
    purposeOf: ({ id }) => sealPurposes.providerSecret(id),
  },
  {
    ...{ table: 'investment_withdrawals', key: 'id', column: 'details' },
    purposeOf: ({ id }) => sealPurposes.investmentWithdrawal(id),
  },
  {
    ...{ table: 'kyc_document_numbers', key: 'id', column: 'number_sealed' },
    purposeOf: ({ id }) => sealPurposes.documentNumber(id),
  },
  {
    ...{ table: 'kyc_documents', key: 'id', userId: 'user_id', type: 'type', column: 'data_key' },
    purposeOf: ({ id: documentId, userId, type }) => sealPurposes.documentKey({ documentId, userId, type }),
  },
  {
    ...{ table: 'kyc_documents', key: 'id', column: 'name_sealed' },
    purposeOf: ({ id }) => sealPurposes.documentName(id),
  },
  {
    ...{ table: 'kyc_history', key: 'id', column: 'note' },
    purposeOf: ({ id }) => sealPurposes.kycNote(id),
  },
  {
    ...{ table: 'kyc_provider_reports', key: 'id', column: 'data' },
    purposeOf: ({ id }) => sealPurposes.kycProviderReport(id),
  },
  {
    ...{ table: 'kyc_verifications', key: 'id', column: 'personal_info' },
    purposeOf: ({ id }) => sealPurposes.personalInfo(id),
  },
  {
    ...{ table: 'kyc_verifications', key: 'id', column: 'requested_message' },
    purposeOf: ({ id }) => sealPurposes.kycRequestedMessage(id),
  },
  {
    ...{ table: 'mailed_tokens', key: 'id', userId: 'user_id', column: 'undo_sealed' },
    purposeOf: ({ id }) => sealPurposes.undo(id),
    within: storedSecondFactor,
  },
  {
    ...{ table: 'outbox_messages', key: 'id', column: 'sealed_payload' },
    purposeOf: ({ id }) => sealPurposes.outboxMessage(id),
  },
  {
    ...{ table: 'payouts', key: 'id', column: 'details' },
    purposeOf: ({ id }) => sealPurposes.payoutDestination(id),
  },
  {
    ...{ table: 'request_notes', key: 'id', column: 'text' },
    purposeOf: ({ id }) => sealPurposes.requestNote(id),
  },
  {
    ...{ table: 'second_factors', key: 'user_id', column: 'secret_sealed' },
    purposeOf: ({ id }) => sealPurposes.totp(id),
  },
  {
    ...{ table: 'sent_codes', key: 'id', column: 'code_sealed' },
    purposeOf: ({ id }) => sealPurposes.sentCode(id),
  },
  {
    ...{ table: 'users', key: 'id', column: 'payout_sealed' },
    purposeOf: ({ id }) => sealPurposes.payoutDetails(id),
  },
];

/** Every keyed code; a test compares the list with the schema. */
export const KEYED_CODES: readonly KeyedCode[] = [
  {
    ...{ table: 'kyc_document_numbers', key: 'id', column: 'number_sealed' },
    ...{ mac: 'number_mac', macKey: 'number_key' },
    codeOf: (keys, { id, sealed }) => documentNumberCode(keys, openNumber(keys, id, sealed)),
  },
  {
    ...{ table: 'kyc_documents', key: 'id', userId: 'user_id', type: 'type', column: 'data_key' },
    ...{ mac: 'content_mac', macKey: 'content_key' },
    codeOf: (keys, { sealed, ...row }) => contentCodeOf(keys, { ...row, dataKey: sealed }),
  },
  {
    ...{ table: 'kyc_verifications', key: 'id', column: 'personal_info' },
    ...{ mac: 'document_number_mac', macKey: 'document_number_key' },
    codeOf(keys, { id, sealed }) {
      const info = openPersonalInfo(keys, { id, personalInfo: sealed });
      return info && documentNumberCode(keys, info.documentNumber);
    },
  },
];

/** A second factor that can be restored has its TOTP secret, sealed as its own table has it. */
function storedSecondFactor(keys: KeyRing, secret: Buffer, { userId }: SealedRow): SealsWithin {
  const kept = JSON.parse(secret.toString()) as { secretSealed: string | null };
  if (kept.secretSealed === null) return { sealed: [], renewed: () => secret };
  const sealed = Buffer.from(kept.secretSealed, 'base64');
  const purpose = sealPurposes.totp(userId);
  return {
    sealed: [sealed],
    renewed() {
      const secretSealed = keys.seal(keys.open(sealed, purpose), purpose).toString('base64');
      return Buffer.from(JSON.stringify({ ...kept, secretSealed }));
    },
  };
}
