import { activateUserEndpoint } from './activate';
import { banUserEndpoint } from './ban';
import { changeUserEndpoint } from './change';
import { listUsersEndpoint } from './list';
import { resetTwoFactorEndpoint } from './reset-two-factor';
import { showUser } from './show';
import { suspendUserEndpoint } from './suspend';
import { unbanUserEndpoint } from './unban';

export const adminUserEndpoints = [
  listUsersEndpoint,
  showUser,
  changeUserEndpoint,
  suspendUserEndpoint,
  activateUserEndpoint,
  banUserEndpoint,
  unbanUserEndpoint,
  resetTwoFactorEndpoint,
];
