import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { SettingsService } from '../../settings/settings-service.ts';

/** The user's request to complete rows, kept across restarts. */
export interface KeptCompletion {
  /** Null when there is none. */
  read(): ActivityFilter | null;
  /** An error is logged by the settings; the old value then stays. */
  write(filter: ActivityFilter | null): void;
}

/** Stored in the settings with the service it was made for: another service has other rows. */
export function keptCompletion(settings: SettingsService, dataUrl: string): KeptCompletion {
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
