import { z } from 'zod';
import { secondsUntilMailMay } from '../../../db/identity/mailed-token/mail-limit.writes';
import { keepPasswordResetRequest } from '../../../db/identity/password/password-reset-request.writes';
import { passwordResetProcess } from '../../../workflows/identity/password-reset/password-reset.contract';
import { regionOf } from '../../http/auth/region';
import { endpoint } from '../../http/endpoint';
import { email } from '../../http/request/person-fields';
import { authPerHour } from '../../http/limits/limits';

const MESSAGE = 'If an account uses this email address, we have sent an email to it.';

export const forgotPassword = endpoint({
  id: 'forgotPassword',
  returns: 'The same answer whether or not there is an account',
  method: 'post',
  path: '/auth/forgot-password',
  summary: 'Request an email to choose a new password with',
  // Chosen: at most three such mails an hour go to one address; further requests get the same answer and no mail.
  description:
    'The answer is the same, and takes as long, whether or not there is an account. The token in the email is good for one hour and for one use.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerHour(3),

  body: z.object({ email: email() }).meta({ id: 'ForgotPasswordRequest' }),
  success: 200,
  data: z.object({ message: z.string() }).meta({ id: 'ForgotPasswordResult', example: { message: MESSAGE } }),
  errors: {},

  async handle({ body }, { db, geo, identity, mint, processes, request }) {
    const address = { region: regionOf(request, identity.settings.REGION_HOSTS, geo), email: body.email };
    if ((await secondsUntilMailMay(db, 'reset', address, new Date())) === 0) {
      // The process looks the account up, so that the time of this answer does not reveal whether there is one.
      const { resetRequest: resetRequestId } = await mint('resetRequest');
      await keepPasswordResetRequest(db, resetRequestId, address);
      await processes.start(passwordResetProcess, { resetRequestId });
    }
    return { message: MESSAGE };
  },
});
