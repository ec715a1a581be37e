import type { Endpoint } from '../../http/endpoint';
import { enterBankTransfer } from './enter';

export const adminBankTransferEndpoints: readonly Endpoint[] = [enterBankTransfer];
