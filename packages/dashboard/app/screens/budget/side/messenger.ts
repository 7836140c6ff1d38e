/** Opens WhatsApp with the text; the person chooses to whom it goes. */
export function messengerAddress(text: string): string {
  return `https://wa.me/?text=${encodeURIComponent(text)}`;
}
