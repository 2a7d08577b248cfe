import type { Settings } from '../../../../shared/settings.ts';
import { isMac } from '../../ui/control/keys.ts';
import { formatSecond, localNumbers } from '../../ui/text/format.ts';

type ChosenKey = 'theme' | 'timeZone' | 'notation' | 'activityCheckMinutes' | 'whenClosed' | 'updates';

/** A setting with few values, each with the word for it. */
export type SettingChoices = {
  [Key in ChosenKey]: { setting: Key; options: Readonly<Record<`${Settings[Key]}`, string>> };
}[ChosenKey];

export interface SettingSwitch {
  setting: 'privacy' | 'letterKeys' | 'startAtLogin';
}

export type PlainSetting = { label: string; note?: string } & (SettingChoices | SettingSwitch);

/** The sections that only choose and switch, by their titles. */
export const plainSections = {
  Activity: (): PlainSetting[] => [
    {
      setting: 'activityCheckMinutes',
      label: 'Check for new activity',
      note: 'The app also checks when it starts and when the computer wakes. A check takes one request per address and chain, or more if something is new. The app skips paused addresses.',
      options: { 0: 'Never', 1: '1 min', 5: '5 min', 15: '15 min', 60: '1 h' },
    },
  ],
  Background: (): PlainSetting[] => {
    const whenClosed: PlainSetting = {
      setting: 'whenClosed',
      label: 'When you close the window',
      note: 'If the app keeps watching, open it again to show the window.',
      options: { ask: 'Ask', keep: 'Keep watching', quit: 'Quit' },
    };
    const atLogin: PlainSetting = {
      setting: 'startAtLogin',
      label: 'Start at login',
      note: 'The app starts without opening the window.',
    };
    // On macOS closing the window never ends the app, as with other apps.
    return isMac() ? [atLogin] : [whenClosed, atLogin];
  },
  Appearance: (nowMs: number): PlainSetting[] => [
    { setting: 'theme', label: 'Theme', options: { system: 'System', light: 'Light', dark: 'Dark' } },
    { setting: 'timeZone', label: 'Time zone', options: { local: 'Local', utc: 'UTC' } },
    {
      setting: 'notation',
      label: 'Dates and numbers',
      note: `${formatSecond(nowMs)} · ${localNumbers('1,204.5')}`,
      options: { system: 'System', iso: 'ISO 8601' },
    },
    {
      setting: 'privacy',
      label: 'Hide amounts and labels',
      note: 'Blurs amounts and labels until you switch this off.',
    },
    {
      setting: 'letterKeys',
      label: 'Single-key shortcuts',
      note: `Letters, digits and symbols act as commands while you aren’t typing in a field. ${isMac() ? '⌘K' : 'Ctrl K'} always works.`,
    },
  ],
};
