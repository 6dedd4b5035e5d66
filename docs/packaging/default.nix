# For Nix. ./scripts/release fills in the version and the hash.
{ lib, python3Packages, fetchurl }:

python3Packages.buildPythonApplication {
  pname = "boneyard-dominoes";
  version = "@VERSION@";
  pyproject = true;
  src = fetchurl {
    url = "boneyard_dominoes-@VERSION@.tar.gz";
    sha256 = "@SHA256@";
  };
  build-system = with python3Packages; [ hatchling babel ];
  dependencies = with python3Packages; [
    asyncssh click confusable-homoglyphs ifaddr msgpack msgspec platformdirs prometheus-client qrcode textual tomli-w
    wcwidth zeroconf
  ];
  pythonRelaxDeps = [ "asyncssh" "textual" ];
  meta = {
    description = "Every domino game people play, at one table in the terminal";
    license = lib.licenses.mit;
    mainProgram = "boneyard";
  };
}
