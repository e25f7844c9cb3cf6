// German texts of a screen with a rolling code.

export const rollingDe = {
  preparing: 'Einen Moment bitte: Der nächste Code kommt gleich.',
  none: 'Gerade gibt es hier keinen Code. Die Rezeption hilft Ihnen gern weiter.',
};

export type RollingMessages = typeof rollingDe;
