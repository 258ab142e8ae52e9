/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.Memory.PAGE;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Regions of each kind, and writes to them. See {@link RegionRules}. */
class RegionRig extends RequestRig {
    static final int NO_ADVICE = 77;

    /** An address that no memory of a process has. */
    static final long NAME = 0x5000_0000_0000L;

    RegionRig(ProviderKit kit) {
        super(kit);
    }

    /** Checks regions of files: they must be accepted if declared, and refused otherwise. */
    void files(ProtectionDomain pd) throws IOException {
        Path path = file(PAGE);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            int fd = descriptor(path);
            if (has(Capability.DMABUF) && fd >= 0) {
                opened(pd.regMrEx(described(fd, 0, PAGE)));
            } else if (fd >= 0) {
                Seen.check(
                        !accepts(() -> opened(pd.regMrEx(described(fd, 0, PAGE)))),
                        "regMrEx of a file (Capability.DMABUF is not declared) was accepted");
            }
            Seen.check(file.length() == PAGE, "the file has " + file.length() + " bytes");
        }
        ByteBuffer mapped = Memory.map(path);
        Runnable persistent = () -> opened(pd.regMr(mapped, rights() | AccessFlags.FLUSH_PERSISTENT));
        if (has(Capability.FLUSH_PERSISTENT)) {
            persistent.run();
        } else {
            Seen.refuses(
                    "regMr of a file with FLUSH_PERSISTENT (Capability.FLUSH_PERSISTENT is not declared)",
                    persistent,
                    Errno.EOPNOTSUPP,
                    Errno.EINVAL);
        }
    }

    private static boolean accepts(Runnable verb) {
        try {
            verb.run();
            return true;
        } catch (VerbsException e) {
            return false;
        }
    }

    void told(Capability capability, String what, boolean there) {
        Seen.equal(what + " of queryDeviceEx (" + stated(capability) + ")", has(capability), there);
    }

    void right(DeviceAttrEx attr, ProtectionDomain pd, ByteBuffer memory, Capability capability, int access) {
        told(capability, AccessFlags.toString(access) + " in mrAccessFlags", (attr.mrAccessFlags() & access) != 0);
        verb(
                capability,
                "regMr with " + AccessFlags.toString(access),
                () -> opened(pd.regMr(memory, rights() | access)));
    }

    void verb(Capability capability, String what, Runnable verb) {
        String call = what + " (" + stated(capability) + ")";
        if (!has(capability)) {
            Seen.refuses(call, verb, Errno.EOPNOTSUPP);
            return;
        }
        try {
            verb.run();
        } catch (VerbsException e) {
            Seen.check(false, call + " failed: " + e.getMessage());
        }
    }

    int rights() {
        return AccessFlags.LOCAL_WRITE | (has(Capability.RDMA_WRITE) ? AccessFlags.REMOTE_WRITE : 0);
    }

    RegMrAttrEx named(MemoryRegion memory, long name) {
        return new RegMrAttrEx()
                .addr(memory.addr())
                .length(memory.length())
                .access(rights())
                .iova(name);
    }

    RegMrAttrEx described(int fd, long offset, long length) {
        return new RegMrAttrEx()
                .fd(fd)
                .fdOffset(offset)
                .length(length)
                .iova(NAME)
                .access(rights());
    }

    SendWorkRequest write(long wrId, MemoryRegion there, long addr, int length) {
        return a.wr(WrOpcode.RDMA_WRITE, wrId, a.sge(0, length))
                .remoteAddr(addr)
                .rkey(there.rkey());
    }

    void written(long wrId, MemoryRegion there, long addr, int length) {
        a.post(write(wrId, there, addr, length));
        a.next(wrId, WcStatus.SUCCESS);
    }

    /** {@return this process's descriptor of a file; negative if the operating system does not list descriptors} */
    static int descriptor(Path path) throws IOException {
        Path all = Path.of("/proc/self/fd");
        if (!Files.isDirectory(all)) {
            return -1;
        }
        try (Stream<Path> list = Files.list(all)) {
            for (Path one : (Iterable<Path>) list::iterator) {
                try {
                    if (Files.readSymbolicLink(one).equals(path.toRealPath())) {
                        return Integer.parseInt(one.getFileName().toString());
                    }
                } catch (IOException e) {
                    assert e != null; // it was closed meanwhile
                }
            }
        }
        return -1;
    }

    static void refusesAdvice(ProtectionDomain pd, String what, ScatterGatherElement sge, int errno) {
        Seen.refuses("adviseMr " + what, () -> pd.adviseMr(AdviseMrAdvice.PREFETCH, AdviseMrFlags.FLUSH, sge), errno);
    }
}
