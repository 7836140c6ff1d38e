import { useEffect, useState } from "react";

/** An image that was fetched with the session: its address lives as long as it is shown. */
export function ShownImage({ content, alt }: { readonly content: Blob; readonly alt: string }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(content);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return url === null ? null : <img src={url} alt={alt} />;
}
