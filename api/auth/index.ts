import { confirmSignIn } from './confirm';
import { externalEndpoints } from './external';
import { login } from './login';
import { logout } from './logout';
import { refresh } from './refresh';
import { sessionEndpoints } from './sessions';
import { twoFactorEndpoints } from './two-factor';
import { undoEndpoint } from './undo';
import { forgotPassword } from './password/forgot-password';
import { registerEndpoint } from './registration/register';
import { resendVerificationEndpoint } from './registration/resend-verification';
import { resetPasswordEndpoint } from './password/reset-password';
import { verifyEmailEndpoint } from './registration/verify-email';

export const authEndpoints = [
  verifyEmailEndpoint,
  resetPasswordEndpoint,
  resendVerificationEndpoint,
  registerEndpoint,
  forgotPassword,
  login,
  logout,
  refresh,
  confirmSignIn,
  undoEndpoint,
  ...sessionEndpoints,
  ...twoFactorEndpoints,
  ...externalEndpoints,
];
