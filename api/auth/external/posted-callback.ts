import { endpoint } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits/limits';
import { PostedAnswer } from './answer';
import { finishErrors, finishSignIn } from './finish-sign-in';
import { ProviderParams, Redirect } from './provider';

export const endPostedSignIn = endpoint({
  id: 'finishExternalSignInByForm',
  returns: 'A redirect back to the shop',
  method: 'post',
  path: '/auth/external/:provider/callback',
  summary: 'Return from another provider by a form',
  description:
    'The same as GET, for providers whose page makes the browser post a form (`response_mode=form_post`), as that of Apple does.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerMinute(100),
  idempotent: false,
  form: true,

  params: ProviderParams,
  body: PostedAnswer,
  example: { error: undefined, error_description: undefined },
  success: 302,
  data: Redirect,
  errors: finishErrors,

  handle: ({ params: { provider }, body }, context) => finishSignIn(provider, body, context),
});
