import type { Page } from "@budgetkit/client";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";

const PAGE_LIMIT = 50;

/** One budget. Every other key of it begins with the same two parts: invalidating this one loads all of it again. */
export const budgetQuery = (id: string) =>
  queryOptions({ queryKey: ["budget", id], queryFn: ({ signal }) => api.budgets.get(id, { signal }) });

export const budgetEventsQuery = (id: string) =>
  pagesOf(["budget", id, "events"], (page, signal) =>
    api.events.list({ subjectId: id, page, limit: PAGE_LIMIT }, { signal }),
  );

export const budgetMessagesQuery = (id: string) =>
  pagesOf(["budget", id, "messages"], (page, signal) =>
    api.budgets.listMessages(id, { page, limit: PAGE_LIMIT }, { signal }),
  );

export const budgetPaymentsQuery = (id: string) =>
  pagesOf(["budget", id, "payments"], (page, signal) =>
    api.budgets.listPayments(id, { page, limit: PAGE_LIMIT }, { signal }),
  );

export const budgetMailsQuery = (id: string) =>
  pagesOf(["budget", id, "mails"], (page, signal) =>
    api.budgets.listMails(id, { page, limit: PAGE_LIMIT }, { signal }),
  );

export const budgetFilesQuery = (id: string) =>
  pagesOf(["budget", id, "files"], (page, signal) => api.attachments.list(id, { page, limit: PAGE_LIMIT }, { signal }));

/** The newest views of the customer's link. */
export const budgetViewsQuery = (id: string) =>
  pagesOf(["budget", id, "views"], (page, signal) =>
    api.budgets.listViews(id, { page, limit: PAGE_LIMIT }, { signal }),
  );

export const budgetRevisionsQuery = (id: string) =>
  pagesOf(["budget", id, "revisions"], (page, signal) =>
    api.budgets.listRevisions(id, { page, limit: PAGE_LIMIT }, { signal }),
  );

export const budgetRevisionQuery = (id: string, revision: number) =>
  queryOptions({
    queryKey: ["budget", id, "revisions", revision],
    queryFn: ({ signal }) => api.budgets.getRevision(id, revision, { signal }),
  });

export const budgetDifferenceQuery = (id: string, from: number, to: number) =>
  queryOptions({
    queryKey: ["budget", id, "difference", from, to],
    queryFn: ({ signal }) => api.budgets.compareRevisions(id, to, { from }, { signal }),
  });

/**
 * Asked for only when a person wants it: each reading of the link leaves an entry in the ledger, and makes a removed link
 * again. So its key is apart from those that a write to the budget invalidates.
 */
export const budgetLinkQuery = (id: string) =>
  queryOptions({
    queryKey: ["budget-link", id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => api.budgets.createPublicLink(id, {}, { signal }),
  });

/** The evidence of the last acceptance, and what its verification in this browser found. */
export const budgetEvidenceQuery = (id: string) =>
  queryOptions({
    queryKey: ["budget", id, "evidence"],
    queryFn: async ({ signal }) => {
      const [evidence, keys, { verifyEvidence }] = await Promise.all([
        api.budgets.evidence(id, {}, { signal }),
        api.signingKeys({ signal }),
        import("@budgetkit/client/evidence"),
      ]);
      return { evidence, verification: await verifyEvidence(evidence, keys) };
    },
  });

/** The budgets of one customer, newest first. */
export const customerBudgetsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ["budgets", "of-customer", customerId],
    queryFn: ({ signal }) => api.budgets.list({ customerId, limit: 6 }, { signal }),
  });

function pagesOf<T>(queryKey: readonly unknown[], read: (page: number, signal: AbortSignal) => Promise<Page<T>>) {
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    getNextPageParam: ({ pagination }: Page<T>) => (pagination.hasMore ? pagination.page + 1 : undefined),
  });
}
