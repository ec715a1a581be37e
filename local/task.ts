import { spawn } from 'node:child_process';
import { spawnChild, type Output } from './processes/child';

interface Task {
  name: string;
  file: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Lets it use the terminal itself, for its progress bar; else its lines go to `output`. */
  ownsTerminal: boolean;
  output: Output;
  signal: AbortSignal;
}

const onTerminal = ({ name, file, args, env, signal }: Task): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], { env, signal, stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code, by) => {
      if (code === 0) resolve();
      else reject(new Error(`${name} failed (${by ?? `code ${code}`}); its messages are above.`));
    });
  });

/** Runs one of our programs to its end. Throws with its last lines when it fails. */
export async function runTask(task: Task): Promise<void> {
  if (task.ownsTerminal) return onTerminal(task);
  const { name, file, args, env, output, signal } = task;
  const running = await spawnChild({ name, command: process.execPath, args: [file, ...args], env, output });
  const stop = () => void running.stop();
  signal.addEventListener('abort', stop);
  const { code, message } = await running.exited;
  signal.removeEventListener('abort', stop);
  if (code !== 0) throw new Error(message);
}
