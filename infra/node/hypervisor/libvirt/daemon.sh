#!/bin/bash
# Keeps one libvirtd of the project's own running: starts it again when it dies, ends with it on SIGTERM.
#   daemon.sh private FOLDER SHOW_KVM   as root, PID 1 of a fresh mount and pid namespace; SHOW_KVM is yes or no
#   daemon.sh session FOLDER            as a normal user; HOME and XDG_* lie in FOLDER already
# In a private namespace libvirtd's own folders are bound over the system's, so nothing of those is read or written.
# Guests outlive libvirtd; in a private namespace they end with this process.
set -u
mode=$1 folder=$2

bind() { # bind SOURCE TARGET: a missing target gets a parent of its own, that only this namespace sees
  if [ ! -d "$2" ]; then
    mount -t tmpfs -o mode=755 tmpfs "$(dirname "$2")" && mkdir "$2" || exit 1
  fi
  mount --bind "$1" "$2" || exit 1
}

hide_kvm() { # hide_kvm FOLDER: a /dev of its own with nothing but what QEMU needs. With /dev/kvm in sight libvirt would
  # ask QEMU again at every call whether KVM can be used after all (5 s each).
  mkdir -p "$1" && mount -t tmpfs -o mode=755 tmpfs "$1" || exit 1
  for device in null zero full random urandom tty; do
    touch "$1/$device" && mount --bind "/dev/$device" "$1/$device" || exit 1
  done
  mkdir "$1/pts" "$1/shm"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$1/pts" || exit 1
  mount -t tmpfs tmpfs "$1/shm" || exit 1
  ln -s pts/ptmx "$1/ptmx"
  ln -s /proc/self/fd "$1/fd"
  for stream in 0:stdin 1:stdout 2:stderr; do ln -s "fd/${stream%:*}" "$1/${stream#*:}"; done
  mount --rbind "$1" /dev || exit 1
}

if [ "$mode" = private ]; then
  bind "$folder/etc" /etc/libvirt
  bind "$folder/lib" /var/lib/libvirt
  bind "$folder/log" /var/log/libvirt
  bind "$folder/cache" /var/cache/libvirt
  bind "$folder/run" /run
  if [ "$3" = no ]; then hide_kvm "$folder/dev"; fi
  set -- -f /etc/libvirt/libvirtd.conf -p /run/libvirtd.pid
else
  set -- -f "$folder/etc/libvirtd.conf" -p "$folder/libvirtd.pid"
fi

stop=no child=
trap 'stop=yes; [ -n "$child" ] && kill -TERM "$child"' TERM INT
while [ $stop = no ]; do
  libvirtd "$@" &
  child=$!
  wait "$child"
  while [ $stop = yes ] && kill -0 "$child" 2>/dev/null; do wait "$child"; done
  [ $stop = yes ] || sleep 0.5
done
