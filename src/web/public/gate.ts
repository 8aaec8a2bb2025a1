// The gate before a protected document (artifacts.md 4.2). Everything happens in this browser; nothing typed leaves it.
import { acceptedEnvelope, decrypt, fingerprint, ProtectionError } from "../../shared/protect.ts";
import { island, type Meta, need } from "./page.ts";
import { readStored, store } from "./scope.ts";

const words = {
  wrong: "Wrong password. Nothing left this device.",
  unsupported: "Locked with settings this page doesn't accept. Retyping won't help.",
  insecure: "Encryption needs HTTPS or localhost. Open this address that way and the password will work.",
};

/** @param show called once, with the document */
export async function wireGate(meta: Meta, show: (text: string) => void): Promise<void> {
  const gate = need("gate", HTMLFormElement);
  const field = need("password", HTMLInputElement);
  const problem = need("gate-problem", HTMLElement);
  const unlock = need("unlock", HTMLButtonElement);
  const remember = need("remember", HTMLInputElement);
  const envelope = island("hub-envelope");
  const ciphertext = String(island("hub-ciphertext") ?? "");
  const slot = `password:${meta.project}`;
  let isBusy = false;

  function open(text: string): void {
    gate.hidden = true;
    show(text);
    if (readStored(slot) !== null) offerToForget(slot);
  }

  function refuse(error: unknown): void {
    const code = error instanceof ProtectionError ? error.code : null;
    if (code === "unsupported-envelope" || code === "insecure-context") {
      problem.textContent = code === "insecure-context" ? words.insecure : words.unsupported;
      return;
    }
    problem.textContent = words.wrong;
    field.value = "";
    field.focus();
  }

  async function submit(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    unlock.setAttribute("aria-busy", "true");
    problem.textContent = "";
    try {
      const text = await decrypt(field.value, envelope, ciphertext);
      if (remember.checked) store(slot, field.value);
      field.value = "";
      open(text);
    } catch (error) {
      refuse(error);
    } finally {
      isBusy = false;
      unlock.removeAttribute("aria-busy");
    }
  }

  gate.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit(); // its outcome is on the page
  });
  field.addEventListener("input", () => {
    problem.textContent = "";
  });
  wireShow(field);

  const kept = readStored(slot);
  if (kept !== null) {
    try {
      open(await decrypt(kept, envelope, ciphertext));
      return;
    } catch (error) {
      // One that no longer opens is dropped; one that was not even tried is kept.
      if (!(error instanceof ProtectionError) || error.code === null) store(slot, null);
    }
  }
  gate.hidden = false;
  need("fingerprint", HTMLElement).textContent = await fingerprint(envelope, ciphertext);
  if (acceptedEnvelope(envelope) === undefined) problem.textContent = words.unsupported;
  else if (globalThis.crypto?.subtle === undefined) problem.textContent = words.insecure;
  else field.focus();
}

function wireShow(field: HTMLInputElement): void {
  const control = need("show", HTMLButtonElement);
  control.addEventListener("click", () => {
    const isShown = field.type === "text";
    field.type = isShown ? "password" : "text";
    control.setAttribute("aria-pressed", String(!isShown));
    control.textContent = isShown ? "Show" : "Hide";
  });
}

function offerToForget(slot: string): void {
  const control = need("forget", HTMLButtonElement);
  control.hidden = false;
  control.addEventListener("click", () => {
    store(slot, null);
    location.reload();
  });
}
