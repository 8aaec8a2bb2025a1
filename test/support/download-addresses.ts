// Where a package comes from is the business of the machine that installs it: the lock file names no address, and no
// file tells anybody to fetch an archive from one.
const anyAddress = /https?:\/\//;
const archiveAddress = /https?:\/\/[^\s"'`<>()]+\.(tgz|tar\.\w+|zip|7z|deb|rpm|apk|whl|gem|crate|jar)(?![\w.-])/i;

/** Lines of a file that hold a download address, as `path:line: reason`. */
export function downloadAddresses(path: string, text: string): string[] {
  const pattern = path === "bun.lock" ? anyAddress : archiveAddress;
  return text
    .split("\n")
    .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: a download address`] : []));
}
