import type { Settings } from '../../../../shared/settings.ts';
import type { UpdateObstacle, UpdateState } from '../../../../shared/updates.ts';

export const updateNames = { off: 'Off', notify: 'Notify', automatic: 'Automatic' } as const;

export const updateMeanings: readonly (readonly [choice: Settings['updates'], words: string])[] = [
  ['off', 'The app never checks for updates.'],
  [
    'notify',
    'Checks for a newer version when the app starts and once a day, and notifies you. Nothing is downloaded until you say so.',
  ],
  ['automatic', 'Also downloads a newer version, and installs it when you quit the app.'],
];

/** Why a copy of the app cannot replace itself. */
export const obstacleWords: Readonly<Record<UpdateObstacle, string>> = {
  folder:
    'This copy runs from a folder and isn’t installed, so it can’t update itself. Get new versions where you got this one.',
  packages:
    'This copy was installed as a system package, so only your package manager should update it. Get new versions where you got this one.',
  unsigned:
    'macOS only lets signed apps update themselves, and this copy isn’t signed. Get new versions where you got this one.',
};

/** How far a download is. */
export const shareText = (share: number): string => `${Math.floor(share * 100)}%`;

/** A state in a sentence; empty for a failure, which has words of its own. */
export function updateText(state: UpdateState): string {
  switch (state.at) {
    case 'idle':
      return 'Not checked since the app started.';
    case 'asking':
      return 'Checking…';
    case 'newest':
      return 'You have the latest version.';
    case 'available':
      return `Version ${state.version} is available.`;
    case 'downloading':
      return `Downloading version ${state.version}${state.share === null ? '' : `: ${shareText(state.share)}`}.`;
    case 'ready':
      return `Version ${state.version} is downloaded and will be installed when you quit the app.`;
    case 'failed':
      return '';
  }
}
