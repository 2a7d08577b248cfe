import type { RunningApp } from './running-app.ts';

export interface PictureOptions {
  /** Where the PNG is kept. */
  path?: string;
  theme: 'light' | 'dark';
  /** Of the window's content, in pixels. */
  width: number;
  height: number;
  /** Ends when what is shown has come to rest, in this size: a larger window shows more, which is then asked for. */
  atRest: () => Promise<void>;
}

/** A PNG of the window, in this size and theme, without anything that moves. */
export async function takePicture(
  { app, page }: RunningApp,
  { path, theme, width, height, atRest }: PictureOptions,
): Promise<Buffer> {
  // The display has a pointer of its own, which a window that changes its size may come to lie under.
  const setPointer = (value: string) =>
    page.evaluate((events) => {
      document.documentElement.style.pointerEvents = events;
    }, value);
  await setPointer('none');
  // The window is created hidden, and a hidden one has no size.
  await app.evaluate(
    ({ BrowserWindow }, size) =>
      new Promise<void>((shown) => {
        const [window] = BrowserWindow.getAllWindows();
        window?.setContentSize(size.width, size.height);
        if (window === undefined || window.isVisible()) shown();
        else window.once('show', () => shown());
      }),
    { width, height },
  );
  await page.waitForFunction((wanted) => window.innerWidth === wanted, width);
  await page.getByRole('main').waitFor();
  // The font that Debian's machines have, whichever others there are.
  await page.evaluate(() => {
    const { style } = document.documentElement;
    style.setProperty('--font', "'DejaVu Sans', sans-serif");
    style.setProperty('--mono', "'DejaVu Sans Mono', monospace");
  });
  // Off everything that says more while the mouse rests on it.
  await page.mouse.move(width - 1, height - 1);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await atRest();
  const picture = await page.screenshot({
    ...(path === undefined ? {} : { path }),
    animations: 'disabled',
    caret: 'hide',
  });
  await setPointer('');
  return picture;
}
