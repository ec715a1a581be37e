import { listDeadMessages } from './list';
import { resendMessage } from './resend';

export const adminMessageEndpoints = [listDeadMessages, resendMessage];
