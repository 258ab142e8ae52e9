/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.MemoryAccess;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;

/** The devices of this machine that rdma-core drives. */
final class NativeDevices {
    private static final String LIST = "get_device_list";
    private static final String OPEN = "open_device";

    /** The last list; a device that is listed again keeps its instance. */
    private static List<NativeDevice> known = List.of();

    private NativeDevices() {}

    /**
     * Lists the devices. Loads no library if the kernel has no device.
     *
     * @throws VerbsException if the kernel has devices and the JVM does not permit what the binding needs, or
     *     libibverbs cannot be loaded or fails
     */
    static synchronized List<NativeDevice> list() {
        if (!kernelHasSome()) {
            known = List.of();
            return known;
        }
        String problem = MemoryAccess.problem("the rdma-core binding");
        if (problem != null) {
            throw new VerbsException(Errno.EOPNOTSUPP, LIST, problem);
        }
        Libibverbs.require(LIST);
        known = List.copyOf(withList(LIST, list -> {
            List<NativeDevice> found = new ArrayList<>();
            for (long at = list; NativeMemory.getLong(at) != 0; at += Long.BYTES) {
                found.add(sameAsBefore(new NativeDevice(NativeMemory.getLong(at))));
            }
            return found;
        }));
        return known;
    }

    private static NativeDevice sameAsBefore(NativeDevice device) {
        return known.stream()
                .filter(other -> areSame(device, other))
                .findFirst()
                .orElse(device);
    }

    /** {@return whether devices of two listings are the same device} */
    static boolean areSame(NativeDevice one, NativeDevice other) {
        return one.name().equals(other.name()) && one.guid() == other.guid() && one.kernel.isSame(other.kernel);
    }

    /** {@return whether there is a uverbs device} */
    private static boolean kernelHasSome() {
        Path folder = KernelDevice.folder("infiniband_verbs");
        if (!folder.toFile().isDirectory()) { // the usual case; avoids the internal exceptions of Files
            return false;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "uverbs*")) {
            return entries.iterator().hasNext();
        } catch (IOException e) {
            return true; // libibverbs will report it
        }
    }

    private static <T> T withList(String verb, LongFunction<T> body) {
        try (Scratch count = new Scratch(Integer.BYTES)) {
            long list = Libibverbs.ibv_get_device_list(count.address());
            if (list == 0) {
                throw new VerbsException(
                        Libc.errno(), verb, "libibverbs can't list the devices; check that /sys is mounted");
            }
            try {
                return body.apply(list);
            } finally {
                Libibverbs.ibv_free_device_list(list);
            }
        }
    }

    /** Opens a device; returns the {@code struct ibv_context}. */
    static long open(NativeDevice device, LongUnaryOperator open) {
        Libibverbs.require(OPEN);
        return withList(OPEN, list -> {
            for (long at = list; NativeMemory.getLong(at) != 0; at += Long.BYTES) {
                long candidate = NativeMemory.getLong(at);
                if (areSame(new NativeDevice(candidate), device)) {
                    return opened(device, open.applyAsLong(candidate));
                }
            }
            throw new VerbsException(Errno.ENODEV, OPEN, device + " is gone; list the devices again");
        });
    }

    private static long opened(NativeDevice device, long context) {
        if (context != 0) {
            return context;
        }
        int errno = Answers.errno(-1);
        String node = "/dev/infiniband/" + device.kernel.uverbsName();
        String remedy = errno == Errno.EACCES || errno == Errno.EPERM
                ? "permission denied; check the permissions of " + node
                : errno == Errno.EOPNOTSUPP
                        ? "it can't be opened with these attributes; leave out OpenAttr"
                        : "libibverbs could not open it; check that " + node + " exists";
        throw new VerbsException(errno, OPEN, device + ": " + remedy);
    }
}
