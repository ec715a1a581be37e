import { removeKycDocument } from './documents/remove';
import { showKycDocument } from './documents/show';
import { showKyc } from './show';
import { startKyc } from './start';
import { submitKyc } from './submit';

export const usersKycEndpoints = [showKyc, startKyc, submitKyc, showKycDocument, removeKycDocument];
