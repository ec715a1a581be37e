import { cancelWalletWithdrawal } from './cancel';
import { listOwnWalletWithdrawals } from './list';
import { withdrawBalance } from './request';

export const walletWithdrawalEndpoints = [withdrawBalance, listOwnWalletWithdrawals, cancelWalletWithdrawal];
