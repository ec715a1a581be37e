import type { PersonalInfo } from '../../../workflows/kyc/kyc.rules';
import type { KeyRing } from '../../sealing/key-ring';
import { sealPurposes } from '../../sealing/purposes';
import { documentNumberCode } from '../number/document-number';
import type { Verification } from './verification.reads';

/** The columns of a verification that hold its personal data. */
export type SealedPersonalInfo = Pick<
  Verification,
  'personalInfo' | 'documentNumberMac' | 'documentNumberKey'
>;

/** The personal data as they are stored. */
export function sealPersonalInfo(keys: KeyRing, kycId: string, info: PersonalInfo): SealedPersonalInfo {
  const { keyId, mac } = documentNumberCode(keys, info.documentNumber);
  const personalInfo = keys.seal(Buffer.from(JSON.stringify(info)), sealPurposes.personalInfo(kycId));
  return { personalInfo, documentNumberMac: mac, documentNumberKey: keyId };
}

/** The personal data that `sealPersonalInfo` sealed; null once they are erased. Throws Unsealable. */
export function openPersonalInfo(
  keys: KeyRing,
  { id, personalInfo }: Pick<Verification, 'id' | 'personalInfo'>,
): PersonalInfo | null {
  if (personalInfo === null) return null;
  return JSON.parse(keys.open(personalInfo, sealPurposes.personalInfo(id)).toString()) as PersonalInfo;
}
