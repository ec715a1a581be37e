import { disableTwoFactor } from './disable';
import { setUpTwoFactor } from './setup';
import { verifyTwoFactor } from './verify';

export const twoFactorEndpoints = [setUpTwoFactor, verifyTwoFactor, disableTwoFactor];
