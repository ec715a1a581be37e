import { addressEndpoints } from './addresses';
import { uploadAvatar } from './profile/avatar';
import { showBalance } from './balance/balance';
import { walletWithdrawalEndpoints } from './balance/withdrawals';
import { topUpEndpoints } from './balance/top-ups';
import { changeMe } from './change';
import { changeMyProfile } from './profile/change';
import { deleteMe } from './deletion/deletion';
import { exportMe } from './export/export';
import { usersKycEndpoints } from './kyc';
import { showMe } from './me';
import { changeMyPassword } from './password';
import { phoneEndpoints } from './phone';

export const usersEndpoints = [
  showMe,
  changeMe,
  deleteMe,
  exportMe,
  changeMyProfile,
  uploadAvatar,
  showBalance,
  ...walletWithdrawalEndpoints,
  ...topUpEndpoints,
  changeMyPassword,
  ...phoneEndpoints,
  ...addressEndpoints,
  ...usersKycEndpoints,
];
