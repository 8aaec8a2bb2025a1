// The page around a public artifact (artifacts.md 6): a small document that reads without script when it is plain.
import type { ArtifactComment, ArtifactRecord, VersionRecord } from "../../../features/artifacts/index.ts";
import { escapeHtml } from "../../../shared/markdown.ts";
import { webFiles } from "../web-files.ts";
import { ageElement } from "./age.ts";
import { cutLine, dataIsland, escapedLine, oneLine, theirs } from "./escape.ts";
import { threadHtml } from "./thread.ts";

const pickerVersions = 50;
/** Of a description in a preview. */
const previewChars = 300;

export type HostPage = {
  artifact: ArtifactRecord;
  version: VersionRecord;
  /** The address without the hub's root, as `artifacts/<id>` or `s/<token>`. */
  path: string;
  shareToken: string | null;
  /** The version was named in the address. */
  isPinned: boolean;
  /** Forwarded to frame and picker. */
  pass: string | null;
  /** Newest first; null where there is nothing to choose. */
  versions: readonly VersionRecord[] | null;
  comments: readonly ArtifactComment[];
  /** Base64 text of a protected version. */
  ciphertext: string | null;
  origin: string;
  now: number;
};

export function hostPage(page: HostPage): string {
  const { artifact, version, ciphertext } = page;
  const isLive = artifact.live?.version === version.version;
  const description = ciphertext === null ? artifact.description : "";
  const header = `<header class="head">
<div class="head-words">
<h1 class="theirs" dir="auto">${escapeHtml(artifact.title)}</h1>
${description === "" ? "" : `<p class="description theirs" dir="auto">${escapeHtml(description)}</p>`}
<p class="meta"><span class="num">v${version.version}</span> · ${theirs(artifact.projectId)} · ${ageElement(version.createdAt, page.now)}${liveNote(artifact, isLive)}</p>
</div>
<div class="head-controls">
${pickerHtml(page)}
<button type="button" class="button quiet" id="forget" hidden>Forget password</button>
<button type="button" class="button icon" id="theme" aria-label="Dark theme" aria-pressed="false" hidden>${themeGlyph}</button>
</div>
</header>`;
  const query = frameQuery(page, isLive);
  const body = ciphertext === null ? plainFrame(page, query) : gateHtml(artifact.title);
  const thread = ciphertext === null ? threadHtml(page.comments, version.version, page.now) : "";
  return documentHtml(
    previewTags(page, description),
    `${header}
<main aria-label="Document and comments">
${body}
</main>
${thread}
${linkDialog}
${islands(page)}`,
    oneLine(artifact.title),
  );
}

/** One page for all that cannot be shown, with nothing in it of what was asked for. */
export function missingPage(): string {
  return documentHtml(
    "",
    `<main class="missing">
<h1>Nothing at this address</h1>
<p>The document was withdrawn, or the address is incomplete. Whoever sent it can tell which.</p>
</main>`,
    "Nothing at this address",
  );
}

function documentHtml(tags: string, body: string, title: string): string {
  const files = webFiles();
  return `<!doctype html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
${tags}<script src="../${files.entry("public-theme")}"></script>
<link rel="stylesheet" href="../${files.entry("public-style")}">
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<script type="module" src="../${files.entry("public")}"></script>
</head>
<body>
${body}
<footer class="foot">Agent Hub</footer>
</body>
</html>
`;
}

function previewTags({ artifact, version, path, isPinned, origin }: HostPage, description: string): string {
  const query = isPinned ? `?version=${version.version}` : "";
  const tags = [
    ["og:type", "article"],
    ["og:site_name", "Agent Hub"],
    ["og:title", oneLine(artifact.title)],
    ["og:description", cutLine(description, previewChars)],
    ["og:image", `${origin}/${path}/og.svg${query}`],
    ["og:url", `${origin}/${path}${query}`],
  ];
  const properties = tags.map(([name, value = ""]) => `<meta property="${name}" content="${escapeHtml(value)}">\n`);
  return `${properties.join("")}<meta name="twitter:card" content="summary_large_image">\n`;
}

// Relative to the page: the last part of its path names the artifact.
function addressFrom(path: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return `${path.slice(path.indexOf("/") + 1)}/frame${text === "" ? "" : `?${text}`}`;
}

function frameQuery({ version, isPinned, pass }: HostPage, isLive: boolean): Record<string, string> {
  return {
    ...(isPinned || isLive ? { version: String(version.version) } : {}),
    ...(pass === null ? {} : { pass }),
  };
}

// With script the frame is made in the theme of the page; without, it is there all the same.
function plainFrame({ path, artifact }: HostPage, query: Record<string, string>): string {
  const source = escapeHtml(addressFrom(path, query));
  const title = escapedLine(artifact.title);
  return `<div class="document" id="document" data-frame="${source}" data-title="${title}"><noscript><iframe title="${title}" sandbox="allow-scripts" src="${source}"></iframe></noscript></div>`;
}

function liveNote({ live }: ArtifactRecord, isLive: boolean): string {
  if (!isLive || live === null) return "";
  return ` <span class="live">being written · revision ${live.rev}</span>`;
}

function pickerHtml({ artifact, version, versions, pass }: HostPage): string {
  if (versions === null || versions.length < 2) return "";
  const entries = versions.slice(0, pickerVersions).map((each) => {
    const query = new URLSearchParams({ version: String(each.version), ...(pass === null ? {} : { pass }) });
    const current = each.version === version.version ? ' aria-current="page"' : "";
    const state = stateWords(artifact, each);
    const note = state === "" ? "" : ` <span class="version-state">${state}</span>`;
    return `<li><a href="?${escapeHtml(query.toString())}"${current}>${versionName(each)}${note}</a></li>`;
  });
  const older = versions.length > pickerVersions ? '<li class="older">Older ones by <code>?version=</code></li>' : "";
  return `<details class="picker" id="picker"><summary class="button outline">${versionName(version)}</summary>
<ol>${entries.join("")}${older}</ol></details>`;
}

function stateWords({ live, current }: ArtifactRecord, { version }: VersionRecord): string {
  if (version === live?.version) return "being written";
  if (version > current.version) return "never published";
  return version === current.version ? "current" : "";
}

function versionName({ version, label }: VersionRecord): string {
  const words = oneLine(label ?? "");
  const repeats = words === "" || new RegExp(`^(?:v|version)?[ .]*${version}$`, "i").test(words);
  return `<span class="num">v${version}</span>${repeats ? "" : ` · ${theirs(words)}`}`;
}

function gateHtml(title: string): string {
  return `<div class="document" id="document" data-title="${escapedLine(title)}" hidden></div>
<form class="gate" id="gate" hidden>
<p class="gate-lock">${lockGlyph}<span>Protected. The hub holds only ciphertext.</span></p>
<p class="gate-print data" id="fingerprint"></p>
<label for="password">Password</label>
<div class="gate-field"><input type="password" id="password" autocomplete="current-password" spellcheck="false" autocapitalize="off" required aria-describedby="gate-problem"><button type="button" class="button outline" id="show" aria-pressed="false">Show</button></div>
<label class="gate-remember"><input type="checkbox" id="remember"> <span>Remember on this device for this project <small>It is stored as typed.</small></span></label>
<p class="gate-problem" id="gate-problem" role="alert"></p>
<button type="submit" class="button solid" id="unlock">Unlock</button>
</form>
<noscript><p class="gate">This document is protected. It is opened in your browser, which needs JavaScript for that.</p></noscript>`;
}

const linkDialog = `<dialog class="ask" id="ask-link" aria-labelledby="ask-link-title">
<h2 id="ask-link-title">Open <bdi id="ask-link-host"></bdi>?</h2>
<p class="data theirs" id="ask-link-address"></p>
<div class="ask-choices"><button type="button" class="button outline" id="ask-link-stay" autofocus>Stay here</button><a class="button solid" id="ask-link-open" target="_blank" rel="noopener noreferrer">Open</a></div>
</dialog>`;

function islands({ artifact, version, versions, shareToken, ciphertext, comments }: HostPage): string {
  const isProtected = ciphertext !== null;
  const meta = {
    id: artifact.id,
    title: artifact.title,
    kind: artifact.kind,
    version: version.version,
    protected: isProtected,
    project_id: artifact.projectId,
    created_at: new Date(version.createdAt).toISOString(),
    size_bytes: version.size,
    actor: artifact.actor,
    share_token: shareToken,
  };
  const listed =
    versions === null || versions.length < 2
      ? null
      : versions.slice(0, pickerVersions).map((each) => ({
          version: each.version,
          label: each.label,
          created_at: new Date(each.createdAt).toISOString(),
          live: artifact.live?.version === each.version,
        }));
  const quotes = comments.flatMap(({ id, anchor, anchorVersion, isDone }) =>
    anchor?.mode === "text" && !isDone && anchorVersion <= version.version ? [{ id, quote: anchor.quote }] : [],
  );
  return [
    dataIsland("hub-meta", meta),
    dataIsland("hub-versions", listed),
    ...(isProtected
      ? [dataIsland("hub-envelope", version.envelope), dataIsland("hub-ciphertext", ciphertext)]
      : [dataIsland("hub-quotes", quotes)]),
  ].join("\n");
}

const glyph = (paths: string): string =>
  `<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`;
const themeGlyph = glyph('<circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor"/>');
const lockGlyph = glyph('<rect x="4" y="9" width="12" height="8" rx="2"/><path d="M7 9V6.5a3 3 0 0 1 6 0V9"/>');
