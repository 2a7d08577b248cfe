// The pictures of the demo, in the session prepared by demo.mjs: does in the window what a new user would do.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { takePicture } from '../e2e/picture.ts';
import { Profile, projectDir } from '../e2e/running-app.ts';
import { tour } from '../e2e/tour.ts';

const picturesDir = join(projectDir, 'out', 'demo');
/** The views of the animation, in this order. */
const animated = ['overview', 'nodes', 'incident', 'replay', 'node', 'activity', 'transaction', 'explore'];
const animationPixels = 960;
const eachMs = 2_500;

const profileDir = await mkdtemp(join(tmpdir(), 'watchkeeper-demo-'));
const profile = new Profile(profileDir);
try {
  await takePictures();
} finally {
  await profile.closeAll();
  await rm(profileDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Every view in both themes, and some of them one after another as an animation. */
async function takePictures(): Promise<void> {
  await mkdir(picturesDir, { recursive: true });
  const save = async (name: string, picture: Sharp) => {
    const path = join(picturesDir, name);
    await writeFile(path, await picture.toBuffer());
    console.log(relative(projectDir, path));
  };
  const frames = new Map<string, Buffer>();
  await tour(profile, async (running, { name, atRest }) => {
    for (const theme of ['light', 'dark'] as const) {
      const path = join(profileDir, `${name}-${theme}.png`);
      await takePicture(running, { path, theme, width: 1_440, height: 900, atRest });
      const picture = sharp(path).png({ palette: true });
      if (theme === 'light') frames.set(name, await picture.clone().resize(animationPixels).toBuffer());
      await save(`${name}-${theme}.png`, picture);
    }
  });
  const views = animated.map((name) => frames.get(name) ?? missing(name));
  const steps = sharp(views, { join: { animated: true } });
  await save('tour.gif', steps.gif({ delay: views.map(() => eachMs), dither: 0 }));
}

function missing(name: string): never {
  throw new Error(`The tour has no view ${name}.`);
}
