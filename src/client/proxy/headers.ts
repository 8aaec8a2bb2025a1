// HTTP headers a message goes out under, in the form of its own revision (cli.md 4.2).
import { headerValue } from "../header-value.ts";
import type { ModernHead } from "./message.ts";

/** 2026-07-28: the headers say again what the body says, and the hub compares the two. */
export function modernHeaders(head: ModernHead): Record<string, string> {
  return {
    "mcp-protocol-version": headerValue(head.version),
    "mcp-method": headerValue(head.method),
    ...(head.name === undefined ? {} : { "mcp-name": headerValue(head.name) }),
  };
}

/** 2025 line: what `initialize` settled; nothing before it was answered. */
export function legacyHeaders(session: {
  id: string | undefined;
  protocolVersion: string | undefined;
}): Record<string, string> {
  return {
    ...(session.protocolVersion === undefined ? {} : { "mcp-protocol-version": headerValue(session.protocolVersion) }),
    ...(session.id === undefined ? {} : { "mcp-session-id": session.id }),
  };
}
