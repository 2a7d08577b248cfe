// The pictures of the demo, in the session prepared by demo.mjs: does in the window what a new user would do.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'playwright/test';
import sharp, { type Region, type Sharp } from 'sharp';
import { takePicture } from '../e2e/picture.ts';
import { Profile, projectDir, type RunningApp } from '../e2e/running-app.ts';
import { tour, type Look } from '../e2e/tour.ts';

const picturesDir = join(projectDir, 'out', 'demo');
/** The views of the animation, in this order. */
const animated = ['overview', 'nodes', 'incident', 'replay', 'node', 'activity', 'transaction', 'explore'];
const animationPixels = 960;
const eachMs = 2_500;
/** A panel and notifications are there. */
const hasDesktop = process.argv.includes('--desktop');
const panelHeight = 31;
const patienceMs = 30_000;

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
  const look: Look = async (running, { name, atRest }) => {
    if (hasDesktop && name === 'alerts') {
      await save('message.png', await drawn(running, await windowOf('xfce4-notifyd')));
      await save('tray-menu.png', await openTrayMenu(running));
    }
    for (const theme of ['light', 'dark'] as const) {
      const path = join(profileDir, `${name}-${theme}.png`);
      await takePicture(running, { path, theme, width: 1_440, height: 900, atRest });
      const picture = sharp(path).png({ palette: true });
      if (theme === 'light') frames.set(name, await picture.clone().resize(animationPixels).toBuffer());
      await save(`${name}-${theme}.png`, picture);
    }
  };
  await tour(profile, look, { notifies: hasDesktop });
  const views = animated.map((name) => frames.get(name) ?? missing(`view ${name}`));
  const steps = sharp(views, { join: { animated: true } });
  await save('tour.gif', steps.gif({ delay: views.map(() => eachMs), dither: 0 }));
}

/** The icon, at the left end of the panel, with its menu, which is closed again. */
async function openTrayMenu(running: RunningApp): Promise<Sharp> {
  await drawn(running, { left: 0, top: 0, width: panelHeight, height: panelHeight });
  xdotool('mousemove 15 15 click 3');
  const menu = await windowOf('wrapper-2.0');
  await drawn(running, menu);
  const picture = await drawn(running, { ...menu, top: 0, height: menu.top + menu.height });
  xdotool('key Escape');
  return picture;
}

/** A part of the screen, once something is drawn there that stays the same. */
async function drawn({ app }: RunningApp, part: Region): Promise<Sharp> {
  let pixels = Buffer.alloc(0);
  await expect(async () => {
    const png = await app.evaluate(async ({ desktopCapturer, screen }) => {
      const { size } = screen.getPrimaryDisplay();
      const [whole] = await desktopCapturer.getSources({ types: ['screen'], thumbnailSize: size });
      return whole?.thumbnail.toPNG().toString('base64') ?? '';
    });
    const before = pixels;
    pixels = await sharp(Buffer.from(png, 'base64')).extract(part).png().toBuffer();
    const { entropy } = await sharp(pixels).stats();
    // Of an empty panel it is 0.2.
    expect(entropy).toBeGreaterThan(0.5);
    expect(pixels.equals(before)).toBe(true);
  }).toPass({ timeout: patienceMs });
  return sharp(pixels).png({ palette: true });
}

/** Where a program's window is, once it has one that is higher than the panel. */
async function windowOf(program: string): Promise<Region> {
  let found: Region | undefined;
  const isThere = () => {
    const windows = xdotool(`search --onlyvisible --class ${program} getwindowgeometry --shell %@`);
    found = [...windows.matchAll(/X=(\d+)\nY=(\d+)\nWIDTH=(\d+)\nHEIGHT=(\d+)/g)]
      .map(([, ...texts]) => texts.map(Number))
      .map(([left = 0, top = 0, width = 0, height = 0]) => ({ left, top, width, height }))
      .find(({ height }) => height > panelHeight);
    return found !== undefined;
  };
  await expect.poll(isThere, { timeout: patienceMs }).toBe(true);
  return found ?? missing(`window of ${program}`);
}

function xdotool(words: string): string {
  return spawnSync('xdotool', words.split(' '), { encoding: 'utf8' }).stdout;
}

function missing(what: string): never {
  throw new Error(`The tour has no ${what}.`);
}
