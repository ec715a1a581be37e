import { addressEndpoints } from './addresses';
import { uploadAvatar } from './profile/avatar';
import { showBalance } from './balance/balance';
import { changeMe } from './change';
import { changeMyProfile } from './profile/change';
import { deleteMe } from './deletion/deletion';
import { exportMe } from './export/export';
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
  changeMyPassword,
  ...phoneEndpoints,
  ...addressEndpoints,
];
