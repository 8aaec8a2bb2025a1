// Waits that end early when there is a reason to look again: the device is back online, or the page is looked at.

export type WokenBy = "time" | "wake" | "end";

export function untilWoken(ms: number, ended: AbortSignal): Promise<WokenBy> {
  return new Promise((resolve) => {
    if (ended.aborted) return resolve("end");
    const timer = setTimeout(() => finish("time"), ms);
    const wake = (): void => {
      if (!document.hidden) finish("wake");
    };
    const end = (): void => finish("end");
    function finish(by: WokenBy): void {
      clearTimeout(timer);
      globalThis.removeEventListener("online", wake);
      globalThis.removeEventListener("pageshow", wake);
      document.removeEventListener("visibilitychange", wake);
      ended.removeEventListener("abort", end);
      resolve(by);
    }
    globalThis.addEventListener("online", wake);
    globalThis.addEventListener("pageshow", wake);
    document.addEventListener("visibilitychange", wake);
    ended.addEventListener("abort", end);
  });
}
