// The same facts of projects twice: two lines a project on a phone, columns on a desktop.
import type { ProjectView } from "../../../shared/views.ts";
import { minuteClock } from "../../data/clock.ts";
import { Glyph } from "../../glyphs/glyph.tsx";
import { Badge, Dot } from "../../parts/badge.tsx";
import { Row } from "../../parts/row.tsx";
import { Time } from "../../parts/time.tsx";
import { routeText } from "../../shell/route.ts";
import { bytes, exactBytes } from "../../text/bytes.ts";
import { projectsText } from "../../text/en-projects.ts";
import { ProjectFacts } from "./project-head.tsx";
import type { ListedProject, Order } from "./project-list.ts";
import { useStats } from "./use-stats.ts";

const { columns } = projectsText;

export function ProjectRows({ rows, stop }: { rows: readonly ListedProject[]; stop: string | undefined }) {
  return (
    <div class="rows">
      {rows.map((row) => (
        <PhoneRow key={row.project.id} row={row} isStop={row.project.id === stop} />
      ))}
    </div>
  );
}

function PhoneRow({ row, isStop }: { row: ListedProject; isStop: boolean }) {
  const { project, lastWrite, bytes: size } = row;
  const { place, stats } = useStats(project.id);
  const news = newsOf(project, stats?.waiting);
  const holds = stats === undefined ? "" : projectsText.holds(stats.artifacts, stats.sessions, stats.kb_pages);
  return (
    <Row
      id={project.id}
      kind="project"
      itemState={news.state}
      tone={news.tone}
      href={feedOf(project)}
      leading={<Glyph name="projects" />}
      title={<bdi>{project.display_name}</bdi>}
      isStrong={news.tone !== undefined}
      time={
        <span class="row-end">
          <News {...news} />
          {lastWrite === undefined ? null : <Time at={lastWrite} nowMs={minuteClock.value} />}
        </span>
      }
      isStop={isStop}
    >
      <div
        class="row-meta dotted"
        ref={(element) => {
          place.current = element;
        }}
      >
        <ProjectFacts project={project} />
        {holds === "" ? null : <span class="num">{holds}</span>}
        {size === undefined ? null : <span class="num">{bytes(size)}</span>}
      </div>
    </Row>
  );
}

type TableProps = {
  rows: readonly ListedProject[];
  stop: string | undefined;
  order: Order;
  onOrder: (order: Order) => void;
};

export function ProjectTable({ rows, stop, order, onOrder }: TableProps) {
  const sortable = (by: Order, words: string) => (
    <th scope="col" aria-sort={ariaSort(by, order)} class={by === "name" ? undefined : "end"}>
      <button type="button" onClick={() => onOrder(by)}>
        {words}
        {by === order ? <Glyph name={by === "name" ? "up" : "down"} size={12} /> : null}
      </button>
    </th>
  );
  return (
    <table class="project-table">
      <thead>
        <tr>
          {sortable("name", columns.name)}
          <th scope="col">{columns.news}</th>
          <th scope="col">{columns.holds}</th>
          {sortable("recent", columns.last)}
          {sortable("size", columns.size)}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TableRow key={row.project.id} row={row} isStop={row.project.id === stop} />
        ))}
      </tbody>
    </table>
  );
}

function TableRow({ row, isStop }: { row: ListedProject; isStop: boolean }) {
  const { project, lastWrite, bytes: size } = row;
  const { place, stats } = useStats(project.id);
  const news = newsOf(project, stats?.waiting);
  return (
    <tr
      data-id={project.id}
      data-kind="project"
      data-item-state={news.state}
      class={news.tone}
      ref={(element) => {
        place.current = element;
      }}
    >
      <th scope="row">
        <a
          class={`row-title${news.tone === undefined ? "" : " strong"}`}
          href={feedOf(project)}
          tabIndex={isStop ? 0 : -1}
          data-row-link
        >
          <bdi>{project.display_name}</bdi>
        </a>
        <span class="row-meta dotted">
          <ProjectFacts project={project} />
        </span>
      </th>
      <td>
        <News {...news} />
      </td>
      <td class="num faint">
        {stats === undefined ? null : projectsText.holds(stats.artifacts, stats.sessions, stats.kb_pages)}
      </td>
      <td class="end">{lastWrite === undefined ? null : <Time at={lastWrite} nowMs={minuteClock.value} />}</td>
      <td class="end num faint" title={size === undefined ? undefined : exactBytes(size)}>
        {size === undefined ? null : bytes(size)}
      </td>
    </tr>
  );
}

type NewsOf = { state: "waiting" | "unseen" | "seen"; tone: "lamp" | "new" | undefined; amount: number };

/** What waits counts more than what is new. */
function newsOf(project: ProjectView, waiting: number | undefined): NewsOf {
  if (waiting !== undefined && waiting > 0) return { state: "waiting", tone: "lamp", amount: waiting };
  if (project.unseen_events > 0) return { state: "unseen", tone: "new", amount: project.unseen_events };
  return { state: "seen", tone: undefined, amount: 0 };
}

function News({ state, tone, amount }: NewsOf) {
  if (tone === undefined) return null;
  return (
    <span class="news">
      {tone === "lamp" ? <Badge amount={amount} tone="lamp" /> : <Dot tone="new" />}
      <span class={tone === "lamp" ? "unseen-by-eye" : "num"}>
        {state === "waiting" ? projectsText.waiting(amount) : projectsText.unseen(amount)}
      </span>
    </span>
  );
}

function feedOf(project: ProjectView): string {
  return `#${routeText(["p", project.id, "feed"])}`;
}

function ariaSort(by: Order, order: Order): "ascending" | "descending" | undefined {
  if (by !== order) return undefined;
  return by === "name" ? "ascending" : "descending";
}
