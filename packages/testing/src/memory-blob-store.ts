import type { BlobStore, Instant } from "@budgetkit/core/store";

interface Blob {
  readonly chunks: readonly Uint8Array[];
  readonly writtenAt: Instant;
}

/** A blob store that forgets everything when the process ends. */
export function memoryBlobStore(): BlobStore {
  const blobs = new Map<string, Blob>();
  return {
    writeBlob: async (id, content, writtenAt) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) chunks.push(chunk.slice());
      blobs.set(id, { chunks, writtenAt });
    },

    openBlob: async (id) => {
      const blob = blobs.get(id);
      return blob === undefined ? null : contentOf(blob);
    },

    removeBlob: async (id) => void blobs.delete(id),

    findBlobsBefore: async (before, position, limit) => {
      const behind = [...blobs.keys()].sort().filter((id) => position === null || id > position);
      const looked = behind.slice(0, limit);
      const ids = looked.filter((id) => (blobs.get(id)?.writtenAt ?? before) < before);
      return { ids, next: behind.length > limit ? (looked.at(-1) ?? position) : null };
    },
  };
}

async function* contentOf({ chunks }: Blob): AsyncGenerator<Uint8Array, void, undefined> {
  for (const chunk of chunks) yield chunk.slice();
}
