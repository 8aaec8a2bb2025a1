// IndexedDB as a few named stores of records by key. Where the browser has none, records last as long as the page.
import { keyOf } from "./scope.ts";

const stores = ["drafts", "snapshot"] as const;
export type StoreName = (typeof stores)[number];

const version = 1;
const inMemory = new Map<string, unknown>();
let opening: Promise<IDBDatabase | undefined> | undefined;

/** @returns whatever was written under the key; the caller knows its shape */
export async function readRecord(store: StoreName, key: string): Promise<unknown> {
  const found = await inStore(store, "readonly", (records) => records.get(key));
  return found ?? inMemory.get(`${store} ${key}`);
}

export async function writeRecord(store: StoreName, key: string, value: unknown): Promise<void> {
  const written = await inStore(store, "readwrite", (records) => records.put(value, key));
  if (written === undefined) inMemory.set(`${store} ${key}`, value);
}

export async function removeRecord(store: StoreName, key: string): Promise<void> {
  inMemory.delete(`${store} ${key}`);
  await inStore(store, "readwrite", (records) => records.delete(key));
}

export async function countRecords(store: StoreName): Promise<number> {
  const remembered = [...inMemory.keys()].filter((key) => key.startsWith(`${store} `)).length;
  return (await inStore(store, "readonly", (records) => records.count())) ?? remembered;
}

export async function clearRecords(store: StoreName): Promise<void> {
  for (const key of inMemory.keys()) if (key.startsWith(`${store} `)) inMemory.delete(key);
  await inStore(store, "readwrite", (records) => records.clear());
}

export async function eraseRecords(): Promise<void> {
  inMemory.clear();
  const database = await opening;
  database?.close();
  opening = undefined;
  if (!("indexedDB" in globalThis)) return;
  await new Promise<void>((resolve) => {
    const request = indexedDB.deleteDatabase(keyOf("app"));
    // Another tab that still holds it open lets go on `versionchange`; nothing more can be done here either way.
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}

async function inStore<T>(
  store: StoreName,
  mode: IDBTransactionMode,
  act: (records: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  opening ??= open();
  const database = await opening;
  if (database === undefined) return undefined;
  return new Promise((resolve) => {
    try {
      const transaction = database.transaction(store, mode);
      const request = act(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => resolve(undefined);
    } catch {
      resolve(undefined); // closed beneath us by a sign-out in another tab
    }
  });
}

function open(): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(keyOf("app"), version);
      request.onupgradeneeded = () => {
        for (const store of stores) request.result.createObjectStore(store);
      };
      request.onsuccess = () => {
        const database = request.result;
        database.onversionchange = () => {
          database.close();
          opening = undefined;
        };
        resolve(database);
      };
      request.onerror = request.onblocked = () => resolve(undefined);
    } catch {
      resolve(undefined); // no IndexedDB here
    }
  });
}
