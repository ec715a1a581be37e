import { contentCodeOf } from '../../../../db/kyc/document/document-file';
import type { HeldDocument } from '../../../../db/kyc/document/held-document.reads';
import { documentNumberCode, openNumber } from '../../../../db/kyc/number/document-number';
import { submittedNumbers, type SubmittedNumber } from '../../../../db/kyc/number/submitted-number.reads';
import { duplicatesOf, type Duplicate } from '../../../../db/kyc/review/duplicates.reads';
import type { ReviewedVerification } from '../../../../db/kyc/review/reviewed.reads';
import { Unsealable } from '../../../../db/sealing/cipher';
import type { KeyRing } from '../../../../db/sealing/key-ring';
import type { Db } from '../../../../db/sql/query';
import type { PersonalInfo } from '../../../../workflows/kyc/kyc.rules';

interface Compared {
  verification: Pick<ReviewedVerification, 'id' | 'documentNumberMac' | 'user'>;
  personalInfo: PersonalInfo | null;
  documents: readonly HeldDocument[];
}

/**
 * Finds the same document number or file under other accounts of the region, also of numbers and files that the user has
 * replaced since a submission. Others were coded under the first key of their time, so numbers and files are compared
 * under every key of the ring.
 */
export async function duplicateSignals(
  db: Db,
  keys: KeyRing,
  { verification, personalInfo, documents }: Compared,
): Promise<Duplicate[]> {
  const { id, documentNumberMac, user } = verification;
  const rings = keys.withEachFirst();
  const submitted = await submittedNumbers(db, id);
  const numbers = [personalInfo?.documentNumber ?? [], submitted.map((row) => numbersOf(row, keys))].flat(2);
  const coded = numbers.flatMap((number) => rings.map((ring) => documentNumberCode(ring, number).mac));
  const kept = [documentNumberMac ?? [], submitted.map(({ numberMac }) => numberMac)].flat(2);
  return duplicatesOf(db, {
    userId: user.id,
    region: user.region,
    numberMacs: [...coded, ...kept],
    contentMacs: documents.flatMap((document) => [document.contentMac, ...codesOf(document, rings)]),
  });
}

/** The number of a row; none if it is erased, or does not open. */
const numbersOf = ({ id, numberSealed }: SubmittedNumber, keys: KeyRing): string[] =>
  numberSealed === null ? [] : unlessUnsealable(() => [openNumber(keys, id, numberSealed)]);

/** The codes of a document under every key; none if its key was altered or is gone, which opening it reports. */
const codesOf = (document: HeldDocument, rings: readonly KeyRing[]): string[] =>
  unlessUnsealable(() => rings.map((ring) => contentCodeOf(ring, document).mac));

function unlessUnsealable(open: () => string[]): string[] {
  try {
    return open();
  } catch (error) {
    if (error instanceof Unsealable) return [];
    throw error;
  }
}
