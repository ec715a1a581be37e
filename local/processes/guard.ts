import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Reads until this process has ended, for any reason, then ends the other one. A shell, because it must outlive a
 * `kill -9` of Node; it blocks on a pipe, which costs no CPU.
 */
const SCRIPT = `
cat > /dev/null
kill -s "$2" "$1" 2> /dev/null || exit 0
for _ in 1 2 3 4 5 6 7 8 9 10; do sleep 1; kill -0 "$1" 2> /dev/null || exit 0; done
kill -s KILL "$1" 2> /dev/null
`;

/** Ends the process when this one dies without having stopped it. Returns a function that releases it. */
export function guardOrphan(pid: number, stopSignal: NodeJS.Signals): () => void {
  const args = ['-c', SCRIPT, 'guard', String(pid), stopSignal.slice('SIG'.length)];
  // A session of its own, so that what ends this process's group leaves the guard alive.
  const guard = spawn('/bin/sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.on('error', () => undefined);
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  return () => {
    const { pid: guardPid } = guard;
    if (guardPid !== undefined && guard.exitCode === null && guard.signalCode === null)
      process.kill(-guardPid, 'SIGKILL');
  };
}
