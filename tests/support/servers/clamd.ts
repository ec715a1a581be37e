import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../local/machine/ports';
import { Clamav } from '../../../api/media/scanner/clamav';
import { eventually } from '../checks/eventually';
import { provided } from '../run/provided';

/** The file that all scanners agree to call a virus; in two parts, so that none calls this repository one. */
export const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
);

/** The real scanner. Its only signature is that of the test file. */
export interface Clamd {
  socket: string;
  port: number;
  stop: () => Promise<void>;
}

/** Starts clamd on a Unix socket and a free port. */
export async function startClamd(): Promise<Clamd> {
  const dir = await mkdtemp(join(tmpdir(), 'clamd-'));
  const [socket, port] = [join(dir, 'clamd.ctl'), await freePort()];
  await mkdir(join(dir, 'signatures'));
  const signature = `Eicar-Signature:0:*:${EICAR.toString('hex')}\n`;
  await writeFile(join(dir, 'signatures', 'local.ndb'), signature);
  const whole = `${createHash('md5').update(EICAR).digest('hex')}:${EICAR.length}:Eicar-File\n`;
  await writeFile(join(dir, 'signatures', 'local.hdb'), whole);
  const settings = {
    DatabaseDirectory: join(dir, 'signatures'),
    Foreground: 'yes',
    LocalSocket: socket,
    StreamMaxLength: '12M',
    TCPAddr: '127.0.0.1',
    TCPSocket: port,
    TemporaryDirectory: dir,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  await writeFile(join(dir, 'clamd.conf'), lines.join(''));
  const child = spawn(provided('TEST_CLAMD_PATH'), ['--config-file', join(dir, 'clamd.conf')], {
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(dir, { recursive: true, force: true });
  };
  const look = () =>
    new Clamav({ path: socket }).findVirus(Buffer.from('clean'), new AbortController().signal);
  await eventually(look);
  return { socket, port, stop };
}
