import { approvalEnd, isDocumentExpired } from '../../../workflows/kyc/kyc-expiry.rules';
import type { ReviewedLevel } from '../../../workflows/kyc/kyc.rules';
import { nextSubmissionAt } from '../../../workflows/kyc/resubmission.rules';

const APPROVED = '2026-11-22T12:00:00.000Z';

interface Case {
  level: ReviewedLevel;
  at?: string;
  document?: string;
  chosen?: string;
  end: string | null;
}

test.each<[string, Case]>([
  ['STANDARD: 24 months', { level: 'STANDARD', end: '2028-11-22T12:00:00.000Z' }],
  ['ENHANCED: 12 months', { level: 'ENHANCED', end: '2027-11-22T12:00:00.000Z' }],
  ['BASIC: never', { level: 'BASIC', document: '2027-01-01', end: null }],
  [
    'the last day of the document, when that is first',
    { level: 'STANDARD', document: '2027-03-01', end: '2027-03-02T00:00:00.000Z' },
  ],
  [
    'the period, when that does',
    { level: 'ENHANCED', document: '2030-03-01', end: '2027-11-22T12:00:00.000Z' },
  ],
  [
    'the chosen end, shorter',
    { level: 'STANDARD', chosen: '2027-01-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' },
  ],
  ['or longer', { level: 'ENHANCED', chosen: '2029-01-01T00:00:00.000Z', end: '2029-01-01T00:00:00.000Z' }],
  [
    'but never after the document',
    {
      level: 'STANDARD',
      document: '2028-01-01',
      chosen: '2029-01-01T00:00:00.000Z',
      end: '2028-01-02T00:00:00.000Z',
    },
  ],
  [
    '29 February, to a common year',
    { level: 'ENHANCED', at: '2028-02-29T23:59:59.000Z', end: '2029-02-28T23:59:59.000Z' },
  ],
  [
    '28 February, to a leap year',
    { level: 'ENHANCED', at: '2027-02-28T00:00:00.000Z', end: '2028-02-28T00:00:00.000Z' },
  ],
])('%s', (_, { level, at = APPROVED, document = '2040-01-01', chosen, end }) => {
  const found = approvalEnd(level, {
    approvedAt: new Date(at),
    documentExpiryDate: document,
    chosen: chosen === undefined ? null : new Date(chosen),
  });
  expect(found?.toISOString() ?? null).toBe(end);
});

test.each([
  ['2026-11-21', true],
  ['2026-11-22', false],
  ['2026-11-23', false],
])('a document that expires on %s has expired on the 22nd: %s', (date, expired) => {
  expect(isDocumentExpired(date, new Date(APPROVED))).toBe(expired);
});

test.each([
  ['REJECTED', 'INFO_MISMATCH', new Date(APPROVED), new Date('2026-11-23T12:00:00.000Z')],
  ['REJECTED', 'INFO_NOT_PROVIDED', new Date(APPROVED), null],
  ['REJECTED', 'INFO_MISMATCH', null, null],
  ['EXPIRED', null, new Date(APPROVED), null],
  ['APPROVED', null, new Date(APPROVED), null],
])(
  'after one that is %s for %p, submitted at %p, the next can be submitted from %p',
  (status, rejectionReason, submittedAt, next) => {
    expect(nextSubmissionAt({ status, rejectionReason, submittedAt }, 24)).toEqual(next);
  },
);
