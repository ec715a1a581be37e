import { putMessage } from '../message-folder';
import type { SmsProvider } from './port';

/** Puts each message into a folder, as a file that says `"channel": "SMS"`, since mails may lie there too. */
export const fileSms = (folder: string): SmsProvider => ({
  send: ({ id, ...sms }) => putMessage(folder, id, { channel: 'SMS', ...sms }),
});
