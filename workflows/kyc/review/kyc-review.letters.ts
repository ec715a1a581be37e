import { dayInWords, momentInWords, salutation } from '../../administration/outbox/letter.rules';
import type { KycDocumentType, KycLevel, KycRejection, ReviewedLevel, RequestableLevel } from '../kyc.rules';

const DOCUMENTS: Readonly<Record<KycDocumentType, string>> = {
  PASSPORT: 'Passport',
  NATIONAL_ID: 'National identity card',
  DRIVERS_LICENCE: 'Driving licence',
  SELFIE: 'Selfie',
  ADDRESS_PROOF: 'Proof of address',
  INCOME_PROOF: 'Proof of income',
};

const REASONS: Readonly<Record<KycRejection, string>> = {
  DOCUMENT_BLURRY: 'a document cannot be read clearly',
  DOCUMENT_EXPIRED: 'a document has expired',
  SELFIE_MISMATCH: 'the selfie does not show the person of the identity document',
  INFO_MISMATCH: 'what you stated differs from the documents',
  SUSPECTED_FRAUD: 'we could not confirm that the documents are genuine',
};

/** Advice to the user for each reason; none for SUSPECTED_FRAUD, which is final. */
const REMEDIES: Readonly<Record<KycRejection, string | null>> = {
  DOCUMENT_BLURRY:
    'Photograph the whole document in good light, so that all text is sharp and nothing is covered.',
  DOCUMENT_EXPIRED: 'Upload a document that is still valid.',
  SELFIE_MISMATCH: 'Take a new photo of your whole face, without hat or sunglasses, holding your document.',
  INFO_MISMATCH:
    'State your data exactly as your document shows them, or upload the document that shows what you stated.',
  SUSPECTED_FRAUD: null,
};

const SUBJECT = 'Your identity verification';

interface Addressee {
  firstName: string;
}

/** A verification that was submitted. */
export const submittedLetter = ({ firstName, level }: Addressee & { level: RequestableLevel }) => ({
  subject: `${SUBJECT} was submitted`,
  greeting: salutation(firstName),
  paragraphs: [
    `We have received your identity verification for level ${level}.`,
    'A reviewer will check it, and we will write to you about the result.',
  ],
});

/** An approval; `inForce`: the level that the user has, which may be a higher one; `expiresAt` null: it does not expire. */
export const approvedLetter = ({
  firstName,
  level,
  inForce,
  expiresAt,
}: Addressee & { level: ReviewedLevel; inForce: ReviewedLevel; expiresAt: Date | null }) => ({
  subject: `${SUBJECT} is approved`,
  greeting: salutation(firstName),
  paragraphs: [
    inForce === level
      ? `Your identity is verified: your account now has level ${level}.`
      : `Your identity is verified for level ${level}. Your account keeps level ${inForce}, which was approved before.`,
    ...(expiresAt === null ? [] : [`The verification is valid until ${dayInWords(expiresAt)} (UTC).`]),
  ],
});

/** A rejection, with the documents that caused it. */
export const rejectedLetter = ({
  firstName,
  reason,
  documents,
  canResubmit,
  isUsedUp,
  nextSubmissionAt,
}: Addressee & {
  reason: KycRejection;
  documents: readonly { type: KycDocumentType; reason: KycRejection }[];
  canResubmit: boolean;
  /** True if one of the documents was rejected too often to be submitted once more. */
  isUsedUp: boolean;
  nextSubmissionAt: Date | null;
}) => ({
  subject: `${SUBJECT} was rejected`,
  greeting: salutation(firstName),
  paragraphs: [
    `We could not verify your identity, because ${REASONS[reason]}.`,
    ...(documents.length === 0
      ? []
      : [documents.map((document) => `${DOCUMENTS[document.type]}: ${REASONS[document.reason]}.`)]),
    ...(isUsedUp && canResubmit
      ? ['You have no tries left with these documents. Please contact our support.']
      : []),
    ...(canResubmit && !isUsedUp
      ? [...remediesFor([reason, ...documents.map((document) => document.reason)]), again(nextSubmissionAt)]
      : []),
    ...(canResubmit ? [] : ['You cannot submit another verification.']),
  ],
});

const remediesFor = (reasons: readonly KycRejection[]): string[] =>
  [...new Set(reasons)].map((reason) => REMEDIES[reason]).filter((remedy) => remedy !== null);

const again = (earliest: Date | null): string =>
  earliest === null
    ? 'You can submit a new verification.'
    : `You can submit a new verification from ${momentInWords(earliest)}.`;

interface RequestedInformation extends Addressee {
  /** The reviewer's words; null when they are gone. */
  message: string | null;
  documents: readonly KycDocumentType[];
  /** The end of the time to answer. */
  until: Date;
}

/** A reviewer's request for more. */
export const informationRequestedLetter = (request: RequestedInformation) => ({
  subject: `${SUBJECT} needs more information`,
  greeting: salutation(request.firstName),
  paragraphs: ['The reviewer of your identity verification needs more from you.', ...requested(request)],
});

/** A reminder of that request. */
export const informationReminderLetter = (request: RequestedInformation) => ({
  subject: `${SUBJECT} waits for you`,
  greeting: salutation(request.firstName),
  paragraphs: ['Your identity verification still waits for your answer.', ...requested(request)],
});

const requested = ({ message, documents, until }: RequestedInformation): (string | string[])[] => [
  ...(message === null ? [] : [[`Message of the reviewer: ${message}`]]),
  ...(documents.length === 0
    ? []
    : [['Please upload anew:', ...documents.map((type) => `- ${DOCUMENTS[type]}`)]]),
  `Please complete it and submit it again by ${dayInWords(until)} (UTC).`,
];

/** The end of a verification whose user did not answer; `level`: the level that they have, which stays. */
export const unansweredLetter = ({ firstName, level }: Addressee & { level: KycLevel }) => ({
  subject: `${SUBJECT} has ended`,
  greeting: salutation(firstName),
  paragraphs: [
    'Your identity verification has ended, because we did not receive the information that the reviewer asked for.',
    `Your account keeps level ${level}. You can start a new verification at any time.`,
  ],
});
