// The demo itself, in the session prepared by demo.mjs: opens the sample data as the button of the app does and stays, or
// does in the window what a new user would do, and takes pictures.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { takePicture } from '../e2e/picture.ts';
import { Profile, projectDir } from '../e2e/running-app.ts';
import { tour } from '../e2e/tour.ts';

const picturesDir = join(projectDir, 'out', 'demo');
const profileDir = await mkdtemp(join(tmpdir(), 'watchkeeper-demo-'));
const profile = new Profile(profileDir);
try {
  if (process.argv.includes('--pictures')) await takePictures();
  else await stay();
} finally {
  await profile.closeAll();
  await rm(profileDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

async function stay(): Promise<void> {
  const { app } = await profile.launch({ drawing: 'usual', args: ['--sample-data'] });
  console.log('The demo is open. It ends, and everything in it is deleted, when you close its window.');
  await app.waitForEvent('close', { timeout: 0 });
}

/** Every view in both themes. */
async function takePictures(): Promise<void> {
  await mkdir(picturesDir, { recursive: true });
  await tour(profile, async (running, { name, atRest }) => {
    for (const theme of ['light', 'dark'] as const) {
      const path = join(picturesDir, `${name}-${theme}.png`);
      await takePicture(running, { path, theme, width: 1_440, height: 900, atRest });
      console.log(relative(projectDir, path));
    }
  });
}
