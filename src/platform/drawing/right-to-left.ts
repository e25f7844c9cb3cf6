// Finds lines with letters that are written from right to left, such as Arabic or Hebrew ones. The letters of such a
// line are not drawn in the order in which they are stored.

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}
