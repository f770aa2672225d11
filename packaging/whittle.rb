# For Homebrew on Linux: `brew install --build-from-source ./whittle.rb`. A text whose syntax ruby has read; whittle has not
# been built with it. url and sha256 are those of the tarball that `make dist` makes.
class Whittle < Formula
  desc "Makes the file that triggers a bug small"
  homepage "https://whittle.invalid/"
  url "https://whittle.invalid/whittle-1.0.0.tar.gz"
  sha256 "0" * 64
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on "brotli"
  depends_on "bzip2"
  depends_on "e2fsprogs"
  depends_on "jansson"
  depends_on "libgit2"
  depends_on :linux
  depends_on "lz4"
  depends_on "ncurses"
  depends_on "nettle"
  depends_on "pcre2"
  depends_on "sqlite"
  depends_on "xxhash"
  depends_on "zlib"
  depends_on "xz"
  depends_on "zstd"

  def install
    system "./configure", *std_configure_args
    system "make", "install"
  end

  test do
    (testpath/"hay.txt").write "hay\nneedle\nhay\n"
    (testpath/"test.sh").write "#!/bin/sh\ngrep -q needle \"$1\"\n"
    chmod 0755, testpath/"test.sh"
    system bin/"whittle", testpath/"test.sh", testpath/"hay.txt"
    assert_equal "needle", (testpath/"hay.txt").read.strip
  end
end
