import { putMessage } from '../message-folder';
import type { SmsProvider } from './port';

/** Puts each message into a folder, as a file with `"channel": "SMS"`, because the folder may hold mails too. */
export const fileSms = (folder: string): SmsProvider => ({
  send: ({ id, ...sms }) => putMessage(folder, id, { channel: 'SMS', ...sms }),
});
