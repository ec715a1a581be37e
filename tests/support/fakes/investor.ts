import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import type { Authority } from './authority';

const Push = z.strictObject({
  users: z
    .array(
      z.strictObject({
        userId: z.uuid(),
        email: z.string(),
        kycStatus: z.string(),
        kycLevel: z.string(),
        approvedAt: z.iso.datetime().nullable(),
        expiresAt: z.iso.datetime().nullable(),
      }),
    )
    .min(1)
    .max(100),
});

/** A message that the provider has verified, in the order of their arrival. */
export interface ReceivedPush {
  id: string;
  users: z.output<typeof Push>['users'];
}

/** Answers a request; the last answer of a list is given for ever. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export const replies = {
  status:
    (status: number, headers: Record<string, string> = {}, body = ''): Reply =>
    (response) =>
      void response.writeHead(status, headers).end(body),
  silence: (): Reply => () => undefined,
  breakOff:
    (): Reply =>
    (_, { socket }) =>
      void socket.destroy(),
  /** Begins a body of many megabytes. */
  flood: (): Reply => (response) => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more).writeHead(200);
    more();
  },
};

/**
 * An investment provider, as another company would write it: an API over HTTPS that verifies messages by the library of
 * Standard Webhooks, and treats one with an id that it knows as a repetition.
 */
export class Investor {
  static readonly accepts: Reply = replies.status(202);

  /** Pushes that have arrived, repetitions as well. */
  readonly received: ReceivedPush[] = [];
  /** Requests that were not verified. */
  readonly rejected: string[] = [];
  /** The answers to the next requests; afterwards it answers 202. */
  replies: Reply[] = [];
  /** Users whose verification it does not take: it answers 422 to a batch with one. */
  readonly refusedUsers = new Set<string>();
  private readonly server;

  constructor(
    { key, cert }: Authority,
    public secret: string,
  ) {
    this.server = createServer({ key, cert }, (request, response) => void this.answer(request, response));
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  /** The address of its API. */
  get apiBase(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}/partners/v2`;
  }

  /** The users of each message that was told for the first time. */
  get told(): string[] {
    const first = new Map(this.received.map(({ id, users }) => [id, users]));
    return [...first.values()].flat().map(({ userId }) => userId);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    try {
      if (request.method !== 'POST' || request.url !== '/partners/v2/kyc') throw new Error('no such address');
      const headers = request.headers as Record<string, string>;
      const message = Push.parse(new Webhook(this.secret).verify(body, headers));
      this.received.push({ id: headers['webhook-id']!, users: message.users });
      if (message.users.some(({ userId }) => this.refusedUsers.has(userId))) {
        response.writeHead(422).end();
        return;
      }
    } catch (error) {
      this.rejected.push(String(error));
      response.writeHead(401).end();
      return;
    }
    const reply = this.replies.shift() ?? Investor.accepts;
    reply(response, request);
  }
}
