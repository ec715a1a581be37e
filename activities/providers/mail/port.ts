import { Undeliverable } from '../undeliverable';

/** A mail to one person. */
export interface Mail {
  /** Our message's id. A mail may be handed over twice; drivers that can recognise a repeat deliver it once. */
  id: string;
  /** One address, without a name. */
  to: string;
  /** One line. */
  subject: string;
  text: string;
  html: string;
  /** The single-use secret that the mail carries, if any. */
  token?: string;
  code?: string;
}

export interface MailProvider {
  /** Resolves when the mail is accepted for delivery. A thrown UndeliverableMail is final; any other error may pass. */
  send: (mail: Mail) => Promise<void>;
}

/** The mail can never be delivered. */
export class UndeliverableMail extends Undeliverable {}

const ONE_ADDRESS = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/;
// A control character could end a header line and start another header.
const CONTROL = /\p{Cc}/u;

/** Throws UndeliverableMail for text that would be read as several recipients or as further headers. */
export function assertDeliverable({ to, subject }: Mail): void {
  if (!ONE_ADDRESS.test(to) || CONTROL.test(to))
    throw new UndeliverableMail('The recipient is not one address.');
  if (CONTROL.test(subject)) throw new UndeliverableMail('The subject is not one line.');
}
