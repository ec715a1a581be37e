import { randomBytes, randomUUID } from 'node:crypto';
import { documentNumberCode } from '../../../db/kyc/number/document-number';
import { openPersonalInfo, sealPersonalInfo } from '../../../db/kyc/verification/personal-info';
import { Unsealable } from '../../../db/sealing/cipher';
import { KeyRing, type SealingKey } from '../../../db/sealing/key-ring';
import type { PersonalInfo } from '../../../workflows/kyc/kyc.rules';
import { personalInfo as info } from '../../support/builders/kyc/personal-info';

const newKey = (id: string): SealingKey => ({ id, key: randomBytes(32) });
const [former, current] = [newKey('former'), newKey('current')];
const keys = new KeyRing([former]);

describe('personal data', () => {
  const id = randomUUID();
  const sealed = (): Buffer => sealPersonalInfo(keys, id, info).personalInfo!;

  test('open as they were sealed, also under a key that no longer seals, and show nothing until then', () => {
    const personalInfo = sealed();
    expect(openPersonalInfo(new KeyRing([current, former]), { id, personalInfo })).toEqual(info);
    expect(personalInfo.toString('latin1')).not.toMatch(/Ada|Lovelace|1990|C01X/);
  });

  test('open for no other verification, under no other key, and not when a byte was changed', () => {
    const personalInfo = sealed();
    expect(() => openPersonalInfo(keys, { id: randomUUID(), personalInfo })).toThrow(Unsealable);
    expect(() => openPersonalInfo(new KeyRing([current]), { id, personalInfo })).toThrow(Unsealable);
    personalInfo[personalInfo.length - 1]! ^= 1;
    expect(() => openPersonalInfo(keys, { id, personalInfo })).toThrow(Unsealable);
  });

  test('erased, there are none', () => {
    expect(openPersonalInfo(keys, { id, personalInfo: null })).toBeNull();
  });
});

describe('the code of a document number', () => {
  const codeOf = (number = info.documentNumber) => documentNumberCode(keys, number);

  test.each(['C01X00T47', 'c01x 00t 47', 'c-01x/00t47'])('is the same for %p', (documentNumber) => {
    expect(codeOf(documentNumber)).toEqual(codeOf());
  });

  test('is another one for another number', () => {
    expect(codeOf('C01X00T48').mac).not.toBe(codeOf().mac);
  });

  test.each<Partial<PersonalInfo>>([{ documentType: 'NATIONAL_ID' }, { nationality: 'AT' }])(
    'is the same for %p, which the applicant chooses',
    (change) => {
      const stated = sealPersonalInfo(keys, randomUUID(), { ...info, ...change });
      expect(stated.documentNumberMac).toBe(codeOf().mac);
    },
  );

  test('is stored with the personal data, and cannot be computed without the key', () => {
    const { documentNumberMac: mac, documentNumberKey: keyId } = sealPersonalInfo(keys, randomUUID(), info);
    expect({ mac, keyId }).toEqual(codeOf());
    expect(documentNumberCode(new KeyRing([current]), info.documentNumber).mac).not.toBe(mac);
  });
});
