/** What the build made of the viewer, by the names that the sources give its files. */
export interface Manifest {
  readonly viewer: ViewerFile;
  readonly viewerStyle: ViewerFile;
  readonly start: ViewerFile;
  readonly pageStyle: ViewerFile;
  readonly licenses: ViewerFile;
}

export interface ViewerFile {
  readonly name: string; // with a part of its digest in it
  readonly contentType: string;
  readonly sha256: string; // in hexadecimal
  readonly size: number; // bytes
  readonly compressed: readonly CompressedFile[]; // beside it, under its name and the suffix; the smallest first
}

export interface CompressedFile {
  readonly encoding: "br" | "gzip";
  readonly suffix: string;
  readonly size: number; // bytes
}

/** The folder of the viewer and its manifest, as seen from the folder of the sources and from that of the built ones. */
export const VIEWER_FOLDER = "../dist/viewer/";
export const MANIFEST = "manifest.json";
