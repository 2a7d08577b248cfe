// The rooms of the code: each folder of `src` has a README.md that says what it is for, and under "Uses" which other
// rooms of its region it imports from. The check "imports" refuses all others (.dependency-cruiser.mjs).
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Between regions, the table in .dependency-cruiser.mjs decides. */
const regions = [
  'src/shared',
  'src/main/core',
  'src/main/adapters',
  'src/renderer/src/ui',
  'src/renderer/src/features',
];

/** @typedef {{ folder: string, region: string, uses: string[] }} Room */

/**
 * The rooms of all regions, and the folders of the rooms that each names. Throws where rooms use each other in a circle.
 * @param {string} projectDir @returns {Room[]}
 */
export function readRooms(projectDir) {
  const rooms = regions.flatMap((region) =>
    readdirSync(path.join(projectDir, region), { recursive: true, encoding: 'utf8' })
      .filter((name) => path.basename(name) === 'README.md')
      .map((name) => {
        const file = `${region}/${name.replaceAll(path.sep, '/')}`;
        const [, list = ''] = /^Uses: ([^]*)/m.exec(readFileSync(path.join(projectDir, file), 'utf8')) ?? [];
        const uses = [...list.matchAll(/`([^`]+)`/g)].map(([, used]) => `${region}/${used}`);
        return { folder: path.posix.dirname(file), region, uses };
      }),
  );
  // Rooms that lie in one folder are one room for those outside of it.
  for (const depth of [1, 2, 3]) refuseCircles(rooms, depth);
  return rooms;
}

/** @param {Room[]} rooms @param {number} depth How many folders below its region a room is seen as one. */
function refuseCircles(rooms, depth) {
  /** @type {Map<string, Set<string>>} */
  const used = new Map();
  for (const { folder, region, uses } of rooms) {
    const length = region.split('/').length + depth;
    const [from = '', ...to] = [folder, ...uses].map((one) => one.split('/').slice(0, length).join('/'));
    used.set(from, new Set([...(used.get(from) ?? []), ...to.filter((one) => one !== from)]));
  }
  /** @param {string[]} way */
  const follow = (way) => {
    for (const next of used.get(way.at(-1) ?? '') ?? []) {
      if (way.includes(next)) throw new Error(`These rooms use each other: ${[...way, next].join(' → ')}`);
      follow([...way, next]);
    }
  };
  for (const folder of used.keys()) follow([folder]);
}
