import { changeMyPhone } from './change';
import { verifyMyPhone } from './verify';

export const phoneEndpoints = [changeMyPhone, verifyMyPhone];
