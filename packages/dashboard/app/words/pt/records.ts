import type { Words } from "../en.js";

export const records: Words["customers"]["records"] = {
  order: "Ordem",
  newest: "Mais recentes primeiro",
  byName: "Por nome",
  showDeleted: "Mostrar excluídos",
  nothingFound: "Nada encontrado",
  nothingFoundText: "Nada nesta lista tem essas palavras.",
  clearSearch: "Limpar a busca",
  shown: (shown, total) => `${shown} de ${total}`,
  actionsOf: (name) => `Ações de ${name}`,
  restoreOf: (name) => `Restaurar ${name}`,
  created: (name) => `${name}: criado`,
  changed: (name) => `${name}: salvo`,
  deleted: (name) => `${name}: excluído`,
  restored: (name) => `${name}: restaurado`,
  changedMeanwhile: "Isto foi alterado enquanto isso. O que você digitou não foi salvo.",
  loadCurrent: "Carregar a versão atual",
  forPrograms: "Para programas",
  idHint: "Um id próprio. Vazio: o serviço atribui um.",
  metadataHint: "Um objeto JSON próprio.",
  metadataBad: "Não é um objeto JSON.",
};
