import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { authPerHour, perMinute } from '../../http/limits/limits';
import { KycView, kycView } from './kyc.view';
import { PersonalInfoRequest, statedInfo } from './personal-info.view';
import { startVerification } from './start.command';
import { KycRequestedLevelField } from '../../kyc/kyc-enums.view';

export const startKyc = endpoint({
  id: 'startKyc',
  returns: 'The verification with what was stated',
  method: 'post',
  path: '/users/kyc',
  summary: 'Start my identity verification',
  description:
    'States who you are, as your identity document does. Until it is submitted, and while a reviewer waits for more, the same call replaces what was stated. Documents of earlier verifications that were not rejected are carried over. While it is in review it cannot be changed.',
  tag: 'Identity verification',
  auth: 'user',
  limit: { ...perMinute(100), also: authPerHour(30) },
  atomic: true,
  // While a reviewer waits for more, the answer has their words.
  idempotent: 'sealed',

  body: z
    .object({
      personalInfo: PersonalInfoRequest.describe('What the user states, as the identity document has it.'),
      requestedLevel: KycRequestedLevelField.default('STANDARD').describe(
        'The level that the user asks for.',
      ),
    })
    .meta({ id: 'StartKycRequest' }),
  success: 201,
  data: KycView,
  errors: { NOT_EDITABLE: 400 },

  async handle({ body: { personalInfo, requestedLevel } }, context) {
    const { caller, db, identity, mint, policy } = context;
    const info = statedInfo(personalInfo, policy.kycMinimumAge);
    const { kyc: kycId } = await mint('kyc');
    await startVerification(db, { kycId, userId: caller.id, requestedLevel, info }, identity.sealing);
    return kycView(context);
  },
});
