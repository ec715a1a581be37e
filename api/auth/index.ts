import { confirmSignIn } from './confirm';
import { externalEndpoints } from './external';
import { login } from './login';
import { logout } from './logout';
import { refresh } from './refresh';
import { sessionEndpoints } from './sessions';
import { twoFactorEndpoints } from './two-factor';
import { undoEndpoint } from './undo';
import { forgotPassword } from './forgot-password';
import { registerEndpoint } from './register';
import { resendVerificationEndpoint } from './resend-verification';
import { resetPasswordEndpoint } from './reset-password';
import { verifyEmailEndpoint } from './verify-email';

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
