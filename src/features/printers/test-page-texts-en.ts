// English texts of the test page of a receipt printer.

import type { TestPageMessages } from './test-page-texts-de.ts';

export const testPageEn: TestPageMessages = {
  title: 'Test page',
  roll: (millimetres, dots) => `${millimetres} mm roll, ${dots} dots`,
  ordered: (time) => `Ordered: ${time}`,
  ruler: (millimetres) =>
    `Can you see both ends of the ruler, and is it ${millimetres} mm long? Then the roll is set correctly.`,
};
