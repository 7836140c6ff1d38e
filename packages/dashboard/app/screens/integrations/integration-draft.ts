import type { CreateIntegration, Integration } from "@budgetkit/client";

/** What the form holds, as text. */
export interface IntegrationDraft {
  readonly name: string;
  readonly description: string;
  readonly apiKeyId: string; // empty = none
  readonly webhookIds: readonly string[];
  readonly config: string; // JSON; empty = none
}

export const NEW_INTEGRATION: IntegrationDraft = {
  name: "",
  description: "",
  apiKeyId: "",
  webhookIds: [],
  config: "",
};

export function draftOf({ name, description, apiKeyId, webhookIds, config }: Integration): IntegrationDraft {
  return {
    name,
    description: description ?? "",
    apiKeyId: apiKeyId ?? "",
    webhookIds,
    config: Object.keys(config).length === 0 ? "" : JSON.stringify(config, null, 2),
  };
}

/** Null = it is no JSON object. */
export function configOf(text: string): Readonly<Record<string, unknown>> | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** The settings of the draft; null = something is missing or wrong. */
export function settingsOf(draft: IntegrationDraft): CreateIntegration | null {
  const config = configOf(draft.config);
  const name = draft.name.trim();
  if (config === null || name === "") return null;
  return {
    name,
    description: draft.description.trim() === "" ? null : draft.description.trim(),
    apiKeyId: draft.apiKeyId === "" ? null : draft.apiKeyId,
    webhookIds: draft.webhookIds,
    config,
  };
}
