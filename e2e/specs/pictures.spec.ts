import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { takePicture } from '../picture.ts';
import { tour } from '../tour.ts';

/** Pixels of a side of the squares that one pixel of a stored picture stands for. */
const squarePx = 8;
const usualWidth = 1_440;

// Colours, places and sizes, but not letters: each square of the window is kept as the one colour that it has from afar,
// so that another font or another way to smooth letters is no difference. `npm run test:pictures -- --accept` keeps what the
// app looks like now. The picture in full size lies beside the report of a test that fails.
test('the views of the demo look as they did, in three widths and both themes', async ({
  profile,
}, testInfo) => {
  const compared: string[] = [];
  await tour(profile, async (running, { name, isDetail, atRest }) => {
    for (const width of isDetail ? [usualWidth] : [960, usualWidth, 1_920]) {
      // Nothing is laid out by its theme.
      for (const theme of width === usualWidth ? (['light', 'dark'] as const) : (['light'] as const)) {
        const full = `${name}-${width}-${theme}`;
        const path = testInfo.outputPath('full', `${full}.png`);
        await takePicture(running, {
          path,
          theme,
          width,
          height: 900,
          // The ports of the sample nodes.
          cover: /127\.0\.0\.1:\d+/,
          atRest,
        });
        const small = await running.app.evaluate(
          ({ nativeImage }, { from, smallWidth }) =>
            nativeImage
              .createFromPath(from)
              .resize({ width: smallWidth, quality: 'best' })
              .toPNG()
              .toString('base64'),
          { from: path, smallWidth: width / squarePx },
        );
        compared.push(`${full}.png`);
        expect.soft(Buffer.from(small, 'base64'), full).toMatchSnapshot(`${full}.png`);
      }
    }
  });
  const stored = await readdir(dirname(testInfo.snapshotPath('any.png')));
  expect.soft(stored.toSorted(), 'the stored pictures').toEqual(compared.toSorted());
});
