import type { RunningApp } from './running-app.ts';

export interface PictureOptions {
  /** Where the PNG is saved. */
  path: string;
  theme: 'light' | 'dark';
  /** Of the window's content, in pixels. */
  width: number;
  height: number;
  /** Texts that are covered, because they differ from run to run. */
  cover?: RegExp;
  /** Resolves when the view is at rest in this size: a larger window shows, and so requests, more. */
  atRest: () => Promise<void>;
}

/** Saves a PNG of the window in this size and theme, without animations. */
export async function takePicture(
  { app, page }: RunningApp,
  { path, theme, width, height, cover, atRest }: PictureOptions,
): Promise<void> {
  // The display has its own pointer, which a resized window may come to lie under.
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
  // The font that Debian has, whichever others are installed.
  await page.evaluate(() => {
    const { style } = document.documentElement;
    style.setProperty('--font', "'DejaVu Sans', sans-serif");
    style.setProperty('--mono', "'DejaVu Sans Mono', monospace");
  });
  // Away from everything that has a tooltip.
  await page.mouse.move(width - 1, height - 1);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await atRest();
  await page.screenshot({
    path,
    animations: 'disabled',
    caret: 'hide',
    ...(cover === undefined ? {} : { mask: [page.getByText(cover)], maskColor: '#808080' }),
  });
  await setPointer('');
}
