import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Log } from '../logs/log';
import type { Output, Stream } from './child';

type IsError = (line: string, stream: Stream) => boolean;

const ERROR_LEVELS = ['error', 'fatal'];
const LogLine = z.object({ level: z.string() });

function levelOf(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return LogLine.parse(JSON.parse(line)).level;
  } catch {
    return undefined;
  }
}

/** Recognises an error of our own programs: by its level, or any unstructured line on stderr. */
export const isNodeError: IsError = (line, stream) => {
  const level = levelOf(line);
  return level === undefined ? stream === 'stderr' : ERROR_LEVELS.includes(level);
};

/** Recognises the server's own errors. A statement's ERROR is reported by its client. */
export const isPostgresError: IsError = (line) => /\b(FATAL|PANIC):/.test(line);

export const isTemporalError: IsError = (line) => /\blevel=(ERROR|FATAL)\b/.test(line);

/** Writes the children's lines, each child's to its own file, and errors to the terminal too. */
export class ChildLogs {
  private readonly files: WriteStream[] = [];
  private isQuiet = false;

  private constructor(
    private readonly dir: string,
    private readonly isVerbose: boolean,
    private readonly log: Log,
  ) {}

  /** Makes the directory of the log files. */
  static async open(dir: string, isVerbose: boolean, log: Log): Promise<ChildLogs> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    return new ChildLogs(dir, isVerbose, log);
  }

  /** The output of one child; its file starts empty. */
  outputOf(name: string, isShown: IsError): Output {
    const file = createWriteStream(path.join(this.dir, `${name}.log`), { mode: 0o600 });
    // A full disk must not end the launcher, and with it everything.
    file.on('error', () => undefined);
    this.files.push(file);
    return (line, stream) => {
      file.write(`${line}\n`);
      if (this.isVerbose || (!this.isQuiet && isShown(line, stream))) this.log(`${name} | ${line}`);
    };
  }

  /** Stops showing errors: parts that are being stopped report the loss of each other. */
  quieten(): void {
    this.isQuiet = true;
  }

  async close(): Promise<void> {
    await Promise.all(this.files.map((file) => new Promise((resolve) => file.end(resolve))));
  }
}
