import { endpoint } from '../http/endpoint';
import { perMinute } from '../http/limits/limits';
import { AccountView, accountView } from './account.view';
import { ownAccount } from './own-account';

export const showMe = endpoint({
  method: 'get',
  path: '/users/me',
  summary: 'Show my account',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: AccountView,
  errors: {},

  handle: async (_request, context) => accountView(await ownAccount(context)),
});
