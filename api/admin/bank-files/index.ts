import { listCollectedEndpoint } from './collected/list';
import { refuseCollectedTransfer } from './collected/refuse';
import { withdrawBankFile } from './ending/withdraw';
import { enterBankReport } from './enter-report';
import { saveBankFile } from './file';
import { listBankFilesEndpoint } from './list';
import { makeBankFileEndpoint } from './make';
import { showBankFile } from './show';

export const adminBankFileEndpoints = [
  listBankFilesEndpoint,
  makeBankFileEndpoint,
  showBankFile,
  saveBankFile,
  enterBankReport,
  withdrawBankFile,
  listCollectedEndpoint,
  refuseCollectedTransfer,
];
