import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a message into a folder as one JSON file, for a developer or a test to read. The file is named after the
 * message and appears whole: a message handed over again replaces itself.
 */
export async function putMessage(folder: string, id: string, content: object): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = join(folder, `.${id}.${process.pid}`);
  try {
    await writeThrough(unfinished, `${JSON.stringify({ id, ...content }, null, 2)}\n`);
    await rename(unfinished, join(folder, `${id}.json`));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function writeThrough(path: string, content: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
