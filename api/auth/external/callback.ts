import { endpoint } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits/limits';
import { Answer } from './answer';
import { finishErrors, finishSignIn } from './finish-sign-in';
import { ProviderParams, Redirect } from './provider';

export const endExternalSignIn = endpoint({
  id: 'finishExternalSignIn',
  returns: 'A redirect back to the shop',
  method: 'get',
  path: '/auth/external/:provider/callback',
  summary: 'Return from another provider',
  description:
    'Where the provider sends the browser. People with a second factor continue at `POST /auth/login` with the `tempToken` from the fragment of the address they are sent to; all others are signed in. The session is carried by cookies. A new person gets an account if the provider has verified their email address and no account here has it: an account is never handed over for an address alone.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerMinute(100),

  params: ProviderParams,
  query: Answer,
  success: 302,
  data: Redirect,
  errors: finishErrors,

  handle: ({ params: { provider }, query }, context) => finishSignIn(provider, query, context),
});
