import { describe, expect, it } from 'vitest';
import { addressPicture } from './address-picture.ts';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

describe('the picture of an address', () => {
  it('is the same for every spelling, and each time', () => {
    expect(addressPicture(address.toLowerCase())).toEqual(addressPicture(address));
    expect(addressPicture(address)).toMatchObject({ hues: expect.any(Array) as unknown });
  });

  it('is another one for an address that begins and ends alike', () => {
    const pictures = Array.from({ length: 500 }, (_, index) => {
      const middle = index.toString(16).padStart(32, '0');
      return addressPicture(`0xd8dA${middle}6045`).paths.join(' ');
    });
    expect(new Set(pictures).size).toBe(500);
  });

  it('has the same on both sides, in colours that differ', () => {
    const { hues, paths } = addressPicture(address);
    const squares = paths.flatMap((path, colour) =>
      [...path.matchAll(/M(\d) (\d)h1v1h-1z/g)].map(([, x, y]) => `${colour} ${x ?? ''} ${y ?? ''}`),
    );
    expect(squares.length).toBeGreaterThan(3);
    for (const square of squares) {
      const [colour, x, y] = square.split(' ').map(Number);
      expect(squares).toContain(`${colour ?? 0} ${4 - (x ?? 0)} ${y ?? 0}`);
    }
    const apart = Math.abs(hues[0] - hues[1]);
    expect(Math.min(apart, 360 - apart)).toBeGreaterThanOrEqual(90);
  });
});
