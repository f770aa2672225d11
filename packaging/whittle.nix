# For Nix: `nix-build -E '(import <nixpkgs> {}).callPackage ./whittle.nix {}'`. A text; whittle has not been built with it.
{ lib, stdenv, autoreconfHook, pkg-config, brotli, bzip2, e2fsprogs, jansson, libgit2, lz4, ncurses, nettle, pcre2, sqlite, xxHash, xz, zlib, zstd, cmocka }:

stdenv.mkDerivation {
  pname = "whittle";
  version = "1.0.0";
  src = lib.cleanSource ../.;

  nativeBuildInputs = [ autoreconfHook pkg-config ];
  buildInputs = [ brotli bzip2 e2fsprogs jansson libgit2 lz4 ncurses nettle pcre2 sqlite xxHash xz zlib zstd ];
  checkInputs = [ cmocka ];
  enableParallelBuilding = true;

  meta = {
    description = "Makes the file that triggers a bug small";
    license = lib.licenses.mit;
    mainProgram = "whittle";
    platforms = lib.platforms.linux;
  };
}
