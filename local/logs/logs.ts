import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Log } from './log';
import type { Output, Stream } from '../processes/child';

type Judge = (line: string, stream: Stream) => boolean;

const errorLevel = 50;
const logLine = z.object({ level: z.number() });

const pinoLevel = (line: string): number | undefined => {
  if (!line.startsWith('{')) return undefined;
  try {
    return logLine.parse(JSON.parse(line)).level;
  } catch {
    return undefined;
  }
};

/** Whether a line of our own programs reports an error: by its level, or anything bare on stderr. */
export const isNodeError: Judge = (line, stream) => {
  const level = pinoLevel(line);
  return level === undefined ? stream === 'stderr' : level >= errorLevel;
};

/** A statement's ERROR is an answer to its client, who reports it; the server's own trouble is FATAL or PANIC. */
export const isPostgresError: Judge = (line) => /\b(FATAL|PANIC):/.test(line);

export const isTemporalError: Judge = (line) => /\blevel=(ERROR|FATAL)\b/.test(line);

/** Where the children's lines go: each to its own file, the errors to the terminal too. */
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
  outputOf(name: string, isShown: Judge): Output {
    const file = createWriteStream(path.join(this.dir, `${name}.log`), { mode: 0o600 });
    // A full disk must not end the launcher, and with it everything.
    file.on('error', () => undefined);
    this.files.push(file);
    return (line, stream) => {
      file.write(`${line}\n`);
      if (this.isVerbose || (!this.isQuiet && isShown(line, stream))) this.log(`${name} | ${line}`);
    };
  }

  /** Shows no more errors: parts that are being stopped complain about each other. */
  quieten(): void {
    this.isQuiet = true;
  }

  async close(): Promise<void> {
    await Promise.all(this.files.map((file) => new Promise((resolve) => file.end(resolve))));
  }
}
