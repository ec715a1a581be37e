import { listWithdrawalsEndpoint } from './list';
import { settleWithdrawalEndpoint } from './settle';
import { showWithdrawal } from './show';

export const adminWithdrawalEndpoints = [listWithdrawalsEndpoint, showWithdrawal, settleWithdrawalEndpoint];
