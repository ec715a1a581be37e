import { listWithdrawalsEndpoint } from './list';
import { settleWithdrawal } from './settle';
import { showWithdrawal } from './show';

export const adminWithdrawalEndpoints = [listWithdrawalsEndpoint, showWithdrawal, settleWithdrawal];
