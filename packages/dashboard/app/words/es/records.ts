import type { Words } from "../en.js";

export const records: Words["customers"]["records"] = {
  order: "Orden",
  newest: "Más recientes primero",
  byName: "Por nombre",
  showDeleted: "Mostrar eliminados",
  nothingFound: "Sin resultados",
  nothingFoundText: "Nada de esta lista tiene esas palabras.",
  clearSearch: "Borrar la búsqueda",
  shown: (shown, total) => `${shown} de ${total}`,
  actionsOf: (name) => `Acciones de ${name}`,
  restoreOf: (name) => `Restaurar ${name}`,
  created: (name) => `Se creó ${name}`,
  changed: (name) => `Se guardó ${name}`,
  deleted: (name) => `Se eliminó ${name}`,
  restored: (name) => `Se restauró ${name}`,
  changedMeanwhile: "Alguien cambió esto mientras tanto. Lo que escribió no se guardó.",
  loadCurrent: "Cargar la versión actual",
  forPrograms: "Para programas",
  idHint: "Un id propio. Vacío: lo asigna el servicio.",
  metadataHint: "Un objeto JSON propio.",
  metadataBad: "No es un objeto JSON.",
};
