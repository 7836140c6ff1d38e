/** The files that the build made of the viewer. */
export interface Manifest {
  readonly viewer: ViewerFile;
  readonly viewerStyle: ViewerFile;
  readonly start: ViewerFile;
  readonly pageStyle: ViewerFile;
  readonly licenses: ViewerFile;
}

export interface ViewerFile {
  readonly name: string; // contains a part of the digest
  readonly contentType: string;
  readonly sha256: string; // in hexadecimal
  readonly size: number; // bytes
  readonly compressed: readonly CompressedFile[]; // smallest first
}

export interface CompressedFile {
  readonly encoding: "br" | "gzip";
  readonly suffix: string; // after the name of the file
  readonly size: number; // bytes
}

/** The folder of the viewer and its manifest, relative to `src` and to `dist`. */
export const VIEWER_FOLDER = "../dist/viewer/";
export const MANIFEST = "manifest.json";
