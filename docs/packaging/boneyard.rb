# For Homebrew. ./scripts/release fills in the version and the hash.
class Boneyard < Formula
  include Language::Python::Virtualenv

  desc "Every domino game people play, at one table in the terminal"
  url "boneyard_dominoes-@VERSION@.tar.gz"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "cryptography"
  depends_on "python@3.13"

  def install
    venv = virtualenv_create(libexec, "python3.13")
    system libexec/"bin/python", "-m", "pip", "install", "--require-hashes", "-r", buildpath/"requirements.lock"
    venv.pip_install_and_link buildpath
    man1.install "docs/boneyard.1"
    generate_completions_from_executable(bin/"boneyard", "completion")
  end

  test do
    assert_match "@VERSION@", shell_output("#{bin}/boneyard --version")
  end
end
