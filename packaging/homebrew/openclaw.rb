class Openclaw < Formula
  desc "@SUMMARY@"
  homepage "@RELEASE@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@RELEASE@/openclaw-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 aarch64-apple-darwin@"
    end
    on_intel do
      url "@RELEASE@/openclaw-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@RELEASE@/openclaw-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256 aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "@RELEASE@/openclaw-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256 x86_64-unknown-linux-gnu@"
    end
  end

  def install
    bin.install "openclaw"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/openclaw"
    zsh_completion.install "share/zsh/vendor-completions/_openclaw"
    fish_completion.install "share/fish/vendor_completions.d/openclaw.fish"
  end

  test do
    system bin/"openclaw", "--home", testpath/"home", "init"
    said = shell_output("#{bin}/openclaw --home #{testpath}/home chat -m 'Remember that I live in Graz.'")
    assert_match "I live in Graz.", said
  end
end
