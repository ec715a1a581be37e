import { spawn } from 'node:child_process';

export interface ToolRun {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  timeoutMs: number;
}

const KEPT_CHARACTERS = 2_000;

/** Runs an installer to its end. Throws with the end of its output when it fails or takes too long. */
export const runTool = ({ command, args, env, cwd, timeoutMs }: ToolRun): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, timeout: timeoutMs, stdio: ['ignore', 'pipe', 'pipe'] });
    let tail = '';
    const keep = (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-KEPT_CHARACTERS));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${outcome(code, signal)}: ${tail.trim() || 'no output'}`));
    });
  });

const outcome = (code: number | null, signal: NodeJS.Signals | null) =>
  signal === null ? `ended with code ${code}` : `was stopped by ${signal}`;
