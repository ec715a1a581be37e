import { connect, type Socket } from 'node:net';
import { ScannerUnavailable } from '../../http/body/document-preparer';
import { Busy } from '../../http/limits/gate';
import type { VirusScanner } from './port';

/** The address on which clamd listens: a host and a port, or a Unix socket. */
export type ClamavAddress = { host: string; port: number } | { path: string };

/** From the connection to the answer. */
const MOST_MS = 15_000;
/** Answers are one short line; a longer one is not clamd's. */
const MOST_ANSWER_BYTES = 1_024;
const COMMAND = Buffer.from('zINSTREAM\0');
const NO_MORE_CHUNKS = Buffer.alloc(4);
const CLEAN = 'stream: OK\0';
const FOUND = /^stream: (\S+) FOUND\0$/;

/** Lets clamd look at files, one connection for each, by its command INSTREAM. */
export class Clamav implements VirusScanner {
  constructor(
    private readonly address: ClamavAddress,
    private readonly mostMs = MOST_MS,
  ) {}

  async findVirus(bytes: Buffer, clientGone: AbortSignal): Promise<string | null> {
    const isGone = (): boolean => clientGone.aborted;
    if (isGone()) throw new Busy();
    const socket = connect(this.address);
    const end = () => socket.destroy();
    const timer = setTimeout(end, this.mostMs);
    clientGone.addEventListener('abort', end);
    try {
      const answered = answerOn(socket);
      send(socket, bytes);
      return virusIn(await answered);
    } catch (error) {
      throw isGone() ? new Busy() : error;
    } finally {
      clientGone.removeEventListener('abort', end);
      clearTimeout(timer);
      end();
    }
  }
}

function send(socket: Socket, bytes: Buffer): void {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  for (const part of [COMMAND, length, bytes, NO_MORE_CHUNKS]) socket.write(part);
}

/** Everything that clamd says until it closes the connection. */
function answerOn(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    let cause: Error | undefined;
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
      if (answer.length > MOST_ANSWER_BYTES) socket.destroy(new Error('the answer is too long'));
    });
    socket.on('error', (error) => (cause = error));
    // It closes as soon as it has answered, perhaps before it has read everything.
    socket.on('close', () => {
      if (answer.endsWith('\0')) resolve(answer);
      else reject(new ScannerUnavailable('clamd closed the connection or took too long', { cause }));
    });
  });
}

function virusIn(answer: string): string | null {
  if (answer === CLEAN) return null;
  const virus = FOUND.exec(answer)?.[1];
  if (virus === undefined) throw new ScannerUnavailable(`clamd answered ${JSON.stringify(answer)}`);
  return virus;
}
