import { endpoint } from '../http/endpoint';
import { perMinute } from '../http/limits/limits';
import { AccountView, accountView } from './account.view';
import { ownAccount } from './own-account';

export const showMe = endpoint({
  id: 'getAccount',
  returns: 'The account',
  method: 'get',
  path: '/users/me',
  summary: 'Show my account',
  description: 'Email address, phone number, roles, verification and how the account is protected.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: AccountView,
  errors: {},

  handle: async (_request, context) => accountView(await ownAccount(context)),
});
