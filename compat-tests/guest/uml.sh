# Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# The guest on a user-mode Linux kernel: a process of this machine, at its speed. Part of guest/run.

boot() {
  [[ -r ${VERBS4J_UML:-} ]] || die "VERBS4J_UML must name a user-mode Linux kernel (or an .xz of one): '${VERBS4J_UML:-}'"
  local linux=$work/linux rc=0
  case $VERBS4J_UML in
    *.xz) xz -dc "$VERBS4J_UML" >"$linux" || die "$VERBS4J_UML can't be unpacked" ;;
    *) cp "$VERBS4J_UML" "$linux" ;;
  esac
  chmod +x "$linux"
  # One processor, unless asked: of a process this kernel runs one thread at a time, and on a second processor the others spin for it.
  # Console 0 is the kernel's and goes to a log; console 1 is the command's and goes where this script's output goes.
  TMPDIR=$work timeout -s KILL "$timeout" "$linux" "mem=${memory}M" "ncpus=${cpus:-1}" seccomp=on \
    root=/dev/root rootfstype=hostfs rootflags=/ ro "init=$here/init" \
    con=null con0=null,fd:4 con1=null,fd:3 ssl=null "uml_dir=$work" umid=guest panic=-1 quiet \
    "guest.share=hostfs:$work/share" ${out:+"guest.out=hostfs:$out"} ${layers+"${layers[@]/#/guest.layer=hostfs:}"} \
    guest.output=/dev/tty1 </dev/null 3>&1 4>"$work/console" >"$work/kernel" 2>&1 || rc=$?
  ((rc == 137)) && return 124
  [[ -s $work/share/status ]] || cat "$work/console" "$work/kernel" >&2
  # The kernel's own exit status means nothing.
  return 0
}
