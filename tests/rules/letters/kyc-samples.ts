import { kycExpiredLetter, kycExpiringLetter } from '../../../workflows/kyc/expiry/kyc-expiry.letters';
import { reviewOverdueLetter } from '../../../workflows/kyc/review/kyc-queue.letters';
import {
  approvedLetter,
  informationReminderLetter,
  informationRequestedLetter,
  rejectedLetter,
  submittedLetter,
  unansweredLetter,
} from '../../../workflows/kyc/review/kyc-review.letters';

const firstName = 'Ada';
const day = new Date('2026-12-06T10:00:00.000Z');
const documents = [
  { type: 'PASSPORT', reason: 'DOCUMENT_BLURRY' },
  { type: 'SELFIE', reason: 'SELFIE_MISMATCH' },
] as const;
const request = {
  firstName,
  message: 'Please show your whole face.',
  documents: ['SELFIE'],
  until: day,
} as const;

/** The letters of the review of an identity verification. */
export const kycSamples = {
  submittedLetter: { 'for STANDARD': submittedLetter({ firstName, level: 'STANDARD' }) },
  approvedLetter: {
    'until a day': approvedLetter({ firstName, level: 'ENHANCED', inForce: 'ENHANCED', expiresAt: day }),
    'without an end': approvedLetter({ firstName, level: 'BASIC', inForce: 'BASIC', expiresAt: null }),
    'below the level in force': approvedLetter({
      ...{ firstName, level: 'STANDARD', inForce: 'ENHANCED', expiresAt: day },
    }),
  },
  rejectedLetter: {
    'with documents': rejectedLetter({
      firstName,
      reason: 'INFO_MISMATCH',
      documents,
      canResubmit: true,
      isUsedUp: false,
      nextSubmissionAt: day,
    }),
    'for the third time': rejectedLetter({
      firstName: 'Ada',
      reason: 'DOCUMENT_BLURRY',
      documents: [],
      canResubmit: true,
      isUsedUp: true,
      nextSubmissionAt: null,
    }),
    'for an expired document, at any time again': rejectedLetter({
      firstName,
      reason: 'DOCUMENT_EXPIRED',
      documents: [],
      canResubmit: true,
      isUsedUp: false,
      nextSubmissionAt: null,
    }),
    'for good': rejectedLetter({
      firstName,
      reason: 'SUSPECTED_FRAUD',
      documents: [],
      canResubmit: false,
      isUsedUp: false,
      nextSubmissionAt: day,
    }),
  },
  informationRequestedLetter: {
    'with a document': informationRequestedLetter(request),
    without: informationRequestedLetter({ ...request, documents: [] }),
  },
  informationReminderLetter: { 'with a document': informationReminderLetter(request) },
  unansweredLetter: { 'after a month': unansweredLetter({ firstName, level: 'STANDARD' }) },
  reviewOverdueLetter: {
    claimed: reviewOverdueLetter({
      kycId: '0193a1b2-0000-7000-8000-000000000001',
      submittedAt: day,
      dueAt: day,
      isClaimed: true,
    }),
    unclaimed: reviewOverdueLetter({
      kycId: '0193a1b2-0000-7000-8000-000000000001',
      submittedAt: day,
      dueAt: day,
      isClaimed: false,
    }),
  },
  kycExpiringLetter: {
    'a month ahead': kycExpiringLetter({
      ...{ firstName, level: 'STANDARD', levelAfter: 'BASIC', expiresAt: day },
    }),
  },
  kycExpiredLetter: {
    'at the end': kycExpiredLetter({
      ...{ firstName, level: 'ENHANCED', levelAfter: 'BASIC', isRenewing: false },
    }),
    'with a new one begun': kycExpiredLetter({
      ...{ firstName, level: 'STANDARD', levelAfter: 'BASIC', isRenewing: true },
    }),
    'with a lower level left': kycExpiredLetter({
      ...{ firstName, level: 'ENHANCED', levelAfter: 'STANDARD', isRenewing: false },
    }),
  },
};
