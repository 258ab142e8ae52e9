# Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# The guest on the distribution's kernel, emulated by qemu: needs nothing of the processor, and is slow. Part of guest/run.

needs=(qemu-system-x86_64 apt-get dpkg-deb depmod cpio xz busybox)

# What the guest needs before it sees the machine's files.
first_modules=(virtio_pci virtio_console 9pnet_virtio 9p overlay)

# Unpacks the kernel package: $1/vmlinux, $1/initramfs, and its modules as a layer $1/modules.
prepare() {
  local cache=$1 package version staging=$1.new
  for tool in "${needs[@]}"; do
    command -v "$tool" >/dev/null ||
      die "there is no $tool: apt-get install qemu-system-x86 busybox-static cpio kmod xz-utils (.ci/run does)"
  done
  package=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
  [[ -n $package ]] || die "apt knows no linux-image-amd64: apt-get update"
  version=${package#linux-image-}
  [[ -f $cache/version && $(<"$cache/version") == "$version" ]] && return
  printf 'guest: unpacking %s ...\n' "$package" >&2
  rm -rf "$cache" "$staging"
  mkdir -p "$staging/package" "$staging/modules/usr/lib"
  (cd "$staging" && apt-get -o APT::Sandbox::User=root download -q "$package" >/dev/null 2>&1) || die "$package can't be fetched"
  dpkg-deb -x "$staging"/*.deb "$staging/package"
  mv "$staging/package/lib/modules" "$staging/modules/usr/lib/"
  depmod -b "$staging/modules/usr" "$version"
  extract_vmlinux "$staging/package/boot/vmlinuz-$version" >"$staging/vmlinux"
  make_initramfs "$staging" "$version" >"$staging/initramfs"
  rm -rf "$staging/package" "$staging"/*.deb
  printf '%s\n' "$version" >"$staging/version"
  mv "$staging" "$cache"
}

# The kernel proper: unpacking it under emulation would take the longest part of the boot.
extract_vmlinux() {
  local at
  for at in $(LC_ALL=C grep -aobP '\xFD7zXZ\x00' "$1" | cut -d: -f1); do
    # What follows the kernel in the file is no part of it, hence the complaint at its end.
    tail -c "+$((at + 1))" "$1" | xz -dcq --single-stream 2>/dev/null >"$1.out" || :
    if [[ $(head -c 4 "$1.out" | od -An -c | tr -d ' ') == '177ELF' ]]; then
      cat "$1.out"
      return
    fi
  done
  die "no kernel was found in $1: it is not packed with xz"
}

make_initramfs() {
  local staging=$1 version=$2 root=$1/early file
  mkdir -p "$root"/{bin,proc,sys,dev,host,lib/modules}
  cp "$(command -v busybox)" "$root/bin/busybox"
  local tree=$staging/modules/usr/lib/modules/$version
  # A module's line in modules.dep names all that it needs.
  for module in "${first_modules[@]}"; do
    grep -E "/${module}\.ko(\.xz)?:" "$tree/modules.dep" | tr -d ':' | tr ' ' '\n'
  done | sort -u | while read -r file; do
    mkdir -p "$root/lib/modules/$version/$(dirname "$file")"
    cp "$tree/$file" "$root/lib/modules/$version/$file"
    [[ $file != *.xz ]] || xz -d "$root/lib/modules/$version/$file"
  done
  cp "$tree"/modules.{order,builtin,builtin.modinfo} "$root/lib/modules/$version/"
  depmod -b "$root" "$version"
  sed "s/@MODULES@/${first_modules[*]}/" "$here/early-init" >"$root/init"
  chmod +x "$root/init"
  (cd "$root" && find . | cpio -o -H newc --quiet --owner 0:0)
}

boot() {
  local cache=${VERBS4J_GUEST_CACHE:-$here/../target/guest} rc=0 shares=() n=0 arguments=
  mkdir -p "$(dirname "$cache")"
  # One of several that come at the same time unpacks the kernel.
  exec 8>"$cache.lock"
  flock 8
  prepare "$cache"
  exec 8>&-
  cache=$(cd "$cache" && pwd -P)
  share() { # tag folder option
    shares+=(-fsdev "local,id=$1,path=$2,security_model=none,multidevs=remap$3" -device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
  }
  share host / ,readonly=on
  share share "$work/share" ''
  [[ -z $out ]] || share out "$out" ''
  for layer in "$cache/modules" ${layers+"${layers[@]}"}; do
    share "layer$n" "$layer" ,readonly=on
    arguments+=" guest.layer=9p:layer$n"
    n=$((n + 1))
  done
  mkfifo "$work/output"
  cat "$work/output" &
  local reader=$!
  timeout -s KILL "$timeout" qemu-system-x86_64 -M q35 -accel tcg -cpu max -smp "${cpus:-1}" -m "$memory" \
    -nodefaults -no-reboot -display none -serial "file:$work/console" \
    -kernel "$cache/vmlinux" -initrd "$cache/initramfs" \
    -append "console=ttyS0 quiet no_timer_check reboot=t panic=-1 guest.init=$here/init guest.share=9p:share ${out:+guest.out=9p:out} guest.output=/dev/vport0p1$arguments" \
    -device virtio-serial-pci -chardev "file,id=output,path=$work/output" -device virtserialport,chardev=output,name=output \
    -device virtio-rng-pci "${shares[@]}" </dev/null >"$work/qemu" 2>&1 || rc=$?
  wait "$reader" || :
  ((rc == 137)) && return 124
  [[ -s $work/share/status ]] || cat "$work/console" "$work/qemu" >&2
  return 0
}
