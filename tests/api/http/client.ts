import { once } from 'node:events';
import { request as ask, type Agent, type IncomingMessage } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Sends one plain request to a port of this machine. */
export async function get(port: number, path: string, agent?: Agent): Promise<Answer> {
  const sent = ask({ port, path, ...(agent && { agent }) }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let body = '';
  for await (const part of answer.setEncoding('utf8')) body += part as string;
  return { status: answer.statusCode ?? 0, headers: answer.headers, body };
}
