const isApple = /mac|iphone|ipad/i.test(navigator.platform);

/** How the key of shortcuts is called on this machine. */
export const modKey = isApple ? "⌘" : "Ctrl ";

/** How the key beside it is called, which moves lines. */
export const altKey = isApple ? "⌥" : "Alt";
