import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { SettingsService } from '../../settings/settings-service.ts';

export type KeptCompletion = ReturnType<typeof keptCompletion>;

/** The user's request to complete rows, kept in the settings with its service: another has other rows. */
export function keptCompletion(settings: SettingsService, dataUrl: string) {
  return {
    /** Null when there is none. */
    read: (): ActivityFilter | null => {
      const { completing } = settings.current();
      return completing?.dataUrl === dataUrl ? completing.filter : null;
    },
    /** An error is logged by the settings; the old value then stays. */
    write: (filter: ActivityFilter | null): void => {
      const { completing } = settings.current();
      if (filter === null && completing?.dataUrl !== dataUrl) return;
      settings.update({ completing: filter === null ? null : { dataUrl, filter } });
    },
  };
}
