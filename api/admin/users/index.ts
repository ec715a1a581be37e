import { activateUserEndpoint } from './status/activate';
import { banUserEndpoint } from './status/ban';
import { changeUserEndpoint } from './change';
import { listUsersEndpoint } from './list';
import { resetTwoFactorEndpoint } from './reset-two-factor';
import { showUser } from './show';
import { suspendUserEndpoint } from './status/suspend';
import { unbanUserEndpoint } from './status/unban';

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
