# Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests of connection managers in the guest: who listens, and what is left.

# The kernel has a listener: of a program of librdmacm, which shows in no list of sockets.
kernel_listens() {
  local _
  for _ in $(seq 2400); do
    rdma resource show cm_id 2>/dev/null | grep -q LISTEN && return
    sleep 0.05
  done
  echo "nobody listens by the kernel's connection manager"
  return 1
}

# A line of a program's output is there.
has_line() { # file line
  local _
  for _ in $(seq 2400); do
    grep -qx "$2" "$1" && return
    sleep 0.05
  done
  echo "no line '$2' in $1: $(<"$1")"
  return 1
}

# The kernel has no id and no queue pair of a program any more: time waits end by themselves.
kernel_keeps_nothing() { # device...
  local _ device left=
  for _ in $(seq 300); do
    left=
    for device; do
      left+=$(rdma resource show "$device" | sed 's/.* cq [0-9]* qp \([0-9]*\) cm_id \([0-9]*\) .*/\1 \2,/')
    done
    [[ $left =~ ^([01]\ 0,)+$ ]] && return # queue pair 1, where the device has one
    sleep 0.1
  done
  echo "left in the kernel: $(rdma resource show "$1") $(rdma resource show cm_id)"
  return 1
}

# The counters of messages that a port has: NAME_MESSAGE VALUE, those that are not 0.
kernel_messages() { # device
  local file
  for file in "/sys/class/infiniband/$1/ports/1"/cm_{rx,tx}_msgs/* "/sys/class/infiniband/$1/ports/1"/cm_{rx_duplicates,tx_retries}/*; do
    [[ -e $file ]] || continue # iWARP has none
    printf '%s_%s %s\n' "$(basename "${file%/*}")" "${file##*/}" "$(<"$file")"
  done | sed 's/^cm_//; s/_msgs_/_/' | grep -v ' 0$'
}
