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
  for (const room of rooms) refuseCircle(rooms, [room.folder]);
  return rooms;
}

/** @param {Room[]} rooms @param {string[]} way */
function refuseCircle(rooms, way) {
  const last = rooms.find(({ folder }) => folder === way.at(-1));
  for (const used of last?.uses ?? []) {
    if (way.includes(used)) throw new Error(`These rooms use each other: ${[...way, used].join(' → ')}`);
    refuseCircle(rooms, [...way, used]);
  }
}
