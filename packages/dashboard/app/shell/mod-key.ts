/** How the key of shortcuts is called on this machine. */
export const modKey = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl ";
