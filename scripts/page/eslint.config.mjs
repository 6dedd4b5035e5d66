// What eslint looks for in the page's own modules, beside the types that tsc checks.
import js from "./tools/node_modules/@eslint/js/src/index.js";

export default [
  js.configs.recommended,
  {
    rules: {
      "no-undef": "off", // tsc knows the browser's names
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
      "max-len": ["error", 118],
      "no-restricted-properties": ["error", { property: "innerHTML" }, { property: "outerHTML" }, { property: "insertAdjacentHTML" }, { object: "document", property: "write" }],
    },
  },
];
