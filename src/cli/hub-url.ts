// `--url` of the commands that take one (cli.md 2.6).
import { UsageError } from "./exit-codes.ts";

/** Without trailing slashes. Throws `UsageError`. */
export function hubUrl(text: string): string {
  const url = text.trim().replace(/\/+$/, "");
  if (/^https?:\/\/[^/?#@\\\s]+(\/[^?#\\\s]*)?$/i.test(url) && URL.canParse(url)) return url;
  throw new UsageError(
    "option '--url' is not an http or https URL; give the hub's address, such as https://hub.example",
  );
}
