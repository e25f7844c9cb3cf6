// German texts of the test page of a receipt printer.

export const testPageDe = {
  title: 'Testseite',
  roll: (millimetres: number, dots: number) => `Rolle ${millimetres} mm, ${dots} Punkte`,
  ordered: (time: string) => `Auftrag: ${time}`,
  ruler: (millimetres: number) =>
    `Sind beide Enden des Lineals zu sehen, und ist es ${millimetres} mm lang? Dann ist die Rolle richtig eingestellt.`,
};

export type TestPageMessages = typeof testPageDe;
