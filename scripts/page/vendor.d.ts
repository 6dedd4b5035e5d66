// What the page imports from net/web/vendor, typed by the packages themselves.
declare module "*/xterm.mjs" {
  export * from "@xterm/xterm";
}
declare module "*/addon-image.mjs" {
  export * from "@xterm/addon-image";
}
declare module "*/addon-webgl.mjs" {
  export * from "@xterm/addon-webgl";
}
