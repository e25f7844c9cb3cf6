// Wakes the worker of the stock when a voucher was handed out in this process, so that it is replaced at once. Other
// processes notice it with their next turn.

export interface StockPoke {
  poke(): void;
  onPoke(listener: () => void): void;
}

export function makeStockPoke(): StockPoke {
  const listeners: (() => void)[] = [];
  return {
    poke: () => {
      for (const listener of listeners) listener();
    },
    onPoke: (listener) => void listeners.push(listener),
  };
}
