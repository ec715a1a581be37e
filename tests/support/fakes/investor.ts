import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify, type JWTPayload } from 'jose';
import { Webhook } from 'standardwebhooks';
import { v7 } from 'uuid';
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
 * Standard Webhooks, and treats one with an id that it knows as a repetition; a page that signs users in by tokens, which
 * it verifies by `jose` and takes once; and reports that it signs by the library.
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
  /** The key and the audience of the tokens that sign users in; null: it has no such page. */
  signIn: { ssoKey: string; issuer: string; audience: string } | null = null;
  /** The claims of those who were signed in, in order. */
  readonly signedIn: JWTPayload[] = [];
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

  /** Sends a report to an intake; `by` signs it instead of its own secret. */
  async report(
    intake: string,
    type: string,
    data: object,
    { id = v7(), by = this.secret }: { id?: string; by?: string } = {},
  ): Promise<{ status: number; id: string }> {
    const at = new Date();
    const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
    const headers = {
      ...{ 'content-type': 'application/json', 'webhook-id': id },
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(by).sign(id, at, body),
    };
    const { status } = await fetch(intake, { method: 'POST', headers, body });
    return { status, id };
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return this.welcome(request, response);
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

  /** The page for users: 200 for a token that is right and new, 401 for another. */
  private async welcome(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { pathname, searchParams } = new URL(request.url ?? '', this.apiBase);
      if (pathname !== '/partners/v2/sso' || this.signIn === null) throw new Error('no such page');
      const { ssoKey, issuer, audience } = this.signIn;
      const { payload } = await jwtVerify(searchParams.get('token') ?? '', Buffer.from(ssoKey, 'base64url'), {
        ...{ algorithms: ['HS256'], typ: 'JWT', issuer, audience, maxTokenAge: 300 },
        requiredClaims: ['jti', 'iat', 'exp', 'sub'],
      });
      if (this.signedIn.some(({ jti }) => jti === payload.jti)) throw new Error('a token that was used');
      this.signedIn.push(payload);
      response.writeHead(200).end();
    } catch (error) {
      this.rejected.push(String(error));
      response.writeHead(401).end();
    }
  }
}
