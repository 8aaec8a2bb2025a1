// Browser tests: Chromium as Debian packs it, against the compiled binary. They are named `.browser.ts`, so `bun test` leaves
// them alone, and run in Node or in Bun.
import { defineConfig } from "@playwright/test";

/** Bounds for a machine that does much else; nothing waits for them. */
const slowestTestMs = 150_000;
const slowestStepMs = 20_000;

export const browserPath = "/usr/bin/chromium";

// biome-ignore lint/style/noDefaultExport: what the runner reads
export default defineConfig({
  testDir: ".",
  testMatch: "**/*.browser.ts",
  outputDir: "../../test-results",
  timeout: slowestTestMs,
  expect: { timeout: slowestStepMs },
  fullyParallel: true,
  workers: 2,
  // A key that is pressed while the page still draws is lost on a machine that does much else; what fails twice more is
  // a fault. The list names what needed another try.
  retries: 2,
  forbidOnly: true,
  use: {
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "UTC",
    actionTimeout: slowestStepMs,
    launchOptions: {
      executablePath: browserPath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--no-first-run",
      ],
    },
  },
});
