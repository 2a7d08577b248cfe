import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { SettingsService } from '../../settings/settings-service.ts';

/** What the user wants to have completed, over restarts. */
export interface KeptCompletion {
  /** Null when nothing is wanted. */
  read(): ActivityFilter | null;
  /** A failure is logged by the settings, and leaves what was there. */
  write(filter: ActivityFilter | null): void;
}

/** It is kept with the settings, together with the service that it was asked of: another one has other rows. */
export function keptCompletion(settings: SettingsService): KeptCompletion {
  const { dataUrl } = settings.current().service;
  return {
    read: () => {
      const { completing } = settings.current();
      return completing?.dataUrl === dataUrl ? completing.filter : null;
    },
    write: (filter) => {
      const { completing } = settings.current();
      if (filter === null && completing?.dataUrl !== dataUrl) return;
      settings.update({ completing: filter === null ? null : { dataUrl, filter } });
    },
  };
}
