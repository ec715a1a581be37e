import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeStripeState, StripeRefusal } from './fake-stripe-state';

/**
 * `loses the answer`: it carries the request out, and the connection breaks. `is silent`: it does nothing and never answers.
 * `fails`: it answers 500 and has done nothing. `is at it already`: a request with the same key is under way.
 * `talks nonsense`: it carries the request out, and answers 200 with a page that is no JSON.
 */
export type StripeMood =
  | 'answers'
  | 'loses the answer'
  | 'is silent'
  | 'fails'
  | 'is busy'
  | 'knows no key'
  | 'is at it already'
  | 'talks nonsense';

const MOOD_ANSWERS: Readonly<Partial<Record<StripeMood, [number, string]>>> = {
  fails: [500, 'api_error'],
  'is busy': [429, 'invalid_request_error'],
  'is at it already': [409, 'invalid_request_error'],
  'knows no key': [401, 'invalid_request_error'],
};

/** A Stripe with state, which stripe-mock does not have. It knows the calls that we make, and idempotency keys. */
export class FakeStripe {
  mood: StripeMood = 'answers';
  readonly state = new FakeStripeState();
  /** It answers 500 to requests whose path contains this, such as a session's id. */
  failsFor: string | null = null;
  /** It carries requests of this method out, and their connections break. */
  losesAnswersOf: string | null = null;
  /** It answers this to each POST, and carries nothing out. */
  refusesPosts: { status: number; message: string } | null = null;
  /** Its lists say that they go on, behind nothing or behind what was listed before. */
  endlessLists: 'empty' | 'repeated' | null = null;
  /** The requests it received, as `POST /v1/refunds`. */
  readonly requests: string[] = [];
  /** The idempotency keys of the requests that it carried out, or had carried out before. */
  readonly keys: string[] = [];
  private readonly answers = new Map<string, { form: string; status: number; body: unknown }>();

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.serve(request, response);
    });
  }

  static async start(): Promise<FakeStripe> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FakeStripe(server);
  }

  /** The value for STRIPE_API_BASE. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Forgets the idempotency keys, as Stripe does after a day. */
  forgetKeys(): void {
    this.answers.clear();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '' } = request;
    const { pathname, searchParams } = new URL(url, this.url);
    this.requests.push(`${method} ${pathname}`);
    if (this.mood === 'is silent') return;
    const fails = this.failsFor !== null && pathname.includes(this.failsFor);
    const refusal = MOOD_ANSWERS[fails ? 'fails' : this.mood];
    if (refusal) {
      send(response, refusal[0], { error: { type: refusal[1], message: this.mood } });
      return;
    }
    if (this.refusesPosts !== null && method === 'POST') {
      const { status, message } = this.refusesPosts;
      send(response, status, { error: { type: 'invalid_request_error', message } });
      return;
    }
    const form = Buffer.concat(chunks).toString();
    const key = request.headers['idempotency-key'];
    const answer = this.answerOnce(method, pathname, form || searchParams.toString(), String(key ?? ''));
    if (this.mood === 'loses the answer' || this.losesAnswersOf === method) request.socket.destroy();
    else if (this.mood === 'talks nonsense') response.writeHead(200).end('<html>Welcome</html>');
    else send(response, answer.status, answer.body);
  }

  /** Repeats the first answer to a key; refuses the key with other parameters, as Stripe does. */
  private answerOnce(method: string, path: string, form: string, key: string) {
    const name = method === 'POST' ? key : '';
    if (name !== '') this.keys.push(name);
    const before = this.answers.get(name);
    if (before && name !== '') {
      if (before.form === form) return before;
      return { form, ...refused('Keys can only be used with the same parameters.', 'idempotency_error') };
    }
    const answer = { form, ...this.answer(method, path, new URLSearchParams(form)) };
    if (name !== '') this.answers.set(name, answer);
    return answer;
  }

  private answer(method: string, path: string, form: URLSearchParams): { status: number; body: unknown } {
    try {
      if (this.endlessLists === 'repeated') form.delete('starting_after');
      const body = this.state.carryOut(`${method} ${path}`, form);
      if (this.endlessLists === null) return { status: 200, body };
      const empty = this.endlessLists === 'empty' && { data: [] };
      return { status: 200, body: { ...(body as object), ...empty, has_more: true } };
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      return refused(error.message, 'invalid_request_error', error.code);
    }
  }
}

const refused = (message: string, type: string, code?: string) => ({
  status: 400,
  body: { error: { type, message, code } },
});

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
