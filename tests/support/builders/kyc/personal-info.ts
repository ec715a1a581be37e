import type { PersonalInfo } from '../../../../workflows/kyc/kyc.rules';

/** The personal data of somebody who verifies their identity. */
export const personalInfo: PersonalInfo = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  middleName: null,
  dateOfBirth: '1990-12-10',
  nationality: 'DE',
  documentNumber: 'C01X00T47',
  documentType: 'PASSPORT',
  documentIssueDate: '2020-01-02',
  documentExpiryDate: '2030-01-01',
  address: {
    country: 'DE',
    region: 'Berlin',
    city: 'Berlin',
    street: 'Invalidenstrasse',
    building: '1',
    apartment: null,
    postalCode: '10115',
  },
};
