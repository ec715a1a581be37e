import { z } from 'zod';
import { secondsUntilMailMay } from '../../../db/identity/mailed-token/mail-limit.writes';
import { userByEmail } from '../../../db/identity/user/user.reads';
import { refusal } from '../../../workflows/errors';
import {
  registrationProcess,
  resendVerification,
} from '../../../workflows/identity/registration/registration.contract';
import { regionOf } from '../../http/auth/region';
import { endpoint } from '../../http/endpoint';
import { email } from '../../http/request/person-fields';
import { authPerHour } from '../../http/limits/limits';
import { TooManyRequests } from '../../http/limits/rate-limit';

export const resendVerificationEndpoint = endpoint({
  id: 'resendVerification',
  returns: 'The email is on its way',
  method: 'post',
  path: '/auth/resend-verification',
  summary: 'Have the verification email sent again',
  // Chosen: the limit of three an hour also counts per recipient, across all clients.
  description:
    'The email holds a new token; the earlier ones are no longer good. At most three an hour go to one address.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerHour(3),

  body: z.object({ email: email() }).meta({ id: 'ResendVerificationRequest' }),
  success: 200,
  data: z.object({ message: z.string() }).meta({ id: 'ResendVerificationResult' }),
  errors: { USER_NOT_FOUND: 404, ALREADY_VERIFIED: 409 },

  async handle({ body }, { db, geo, identity, mint, processes, request }) {
    const region = regionOf(request, identity.settings.REGION_HOSTS, geo);
    const user = await userByEmail(db, region, body.email);
    if (!user) throw refusal('USER_NOT_FOUND', 'No account uses this email address.');
    if (user.status !== 'PENDING_VERIFICATION') throw refusal('ALREADY_VERIFIED');
    const address = { region, email: body.email };
    const waitSeconds = await secondsUntilMailMay(db, 'verification', address, new Date());
    if (waitSeconds > 0) throw new TooManyRequests(waitSeconds);
    const { token: tokenId } = await mint('token');
    await processes.ask(
      registrationProcess.id({ userId: user.id }),
      resendVerification,
      { tokenId },
      { updateId: request.idempotencyId },
    );
    return { message: 'We have sent you another email.' };
  },
});
