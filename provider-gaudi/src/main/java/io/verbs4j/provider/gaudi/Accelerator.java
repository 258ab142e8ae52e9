/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import java.nio.charset.StandardCharsets;

/**
 * The accelerator that the NICs belong to. It assigns the device addresses of memory of this process, by
 * {@code DRM_IOCTL_HL_MEMORY} of the kernel's {@code habanalabs_accel.h}, or by the same call in kernels that predate
 * the device class {@code accel}.
 *
 * <pre>
 * request: 0 host_virt_addr, or device_virt_addr(8)  8 hint_addr(8)  16 mem_size(8)
 *          24 op(4)  28 flags(4)  32 ctx_id(4)  36 pad(4)
 * answer:  0 device_virt_addr(8)
 * size:    40
 * </pre>
 */
public final class Accelerator implements AutoCloseable {
    private static final long MEMORY = 0xC028_6444L;
    private static final long MEMORY_BEFORE_ACCEL = 0xC028_4805L;
    private static final int SIZEOF = 40;
    private static final int ADDRESS = 0;
    private static final int SIZE = 16;
    private static final int OP = 24;
    private static final int FLAGS = 28;
    private static final int OP_MAP = 2;
    private static final int OP_UNMAP = 3;
    private static final int FLAG_USERPTR = 4;
    private static final int ENOTTY = 25;
    private static final String NODE = "/dev/accel/accel";

    private final int fd;
    private final boolean ours;
    private volatile long request = MEMORY;

    private Accelerator(int fd, boolean ours) {
        this.fd = fd;
        this.ours = ours;
    }

    /** Wraps an accelerator that the program has opened, and that it will close itself. */
    static Accelerator ofProgram(int fd) {
        return new Accelerator(fd, false);
    }

    /** Opens the accelerator of a device {@code hbl_N}: {@code /dev/accel/accelN}, as libhbl does. */
    static Accelerator open(String device) {
        String path = NODE + device.substring(device.lastIndexOf('_') + 1);
        byte[] text = path.getBytes(StandardCharsets.UTF_8);
        try (Scratch c = new Scratch(text.length + 1)) {
            NativeMemory.putBytes(c.address(), text);
            int fd = Libc.open(c.address(), Libc.O_RDWR | Libc.CLOEXEC, 0);
            if (fd < 0) {
                int errno = Answers.errno(-1);
                throw new VerbsException(errno, "open_device", path + ": " + why(errno));
            }
            return new Accelerator(fd, true);
        }
    }

    private static String why(int errno) {
        return switch (errno) {
            case Errno.EBUSY ->
                "the accelerator is in use, and only one program can use it at a time; if this program has it open,"
                        + " pass its descriptor in HblOpenAttr.coreFd";
            case Errno.EACCES, Errno.EPERM -> "permission denied; check its permissions";
            case Errno.ENOENT ->
                "the accelerator does not exist; if it has another number, open it and pass its descriptor in"
                        + " HblOpenAttr.coreFd";
            default -> Errno.describe(errno);
        };
    }

    /** Returns the file descriptor. */
    int fd() {
        return fd;
    }

    /**
     * Maps memory of this process for the device.
     *
     * @return the device address of the memory
     * @throws VerbsException with the error that the kernel reports
     */
    long map(String verb, long host, long length) {
        try (Scratch c = new Scratch(SIZEOF)) {
            NativeMemory.putLong(c.address() + ADDRESS, host);
            NativeMemory.putLong(c.address() + SIZE, length);
            NativeMemory.putInt(c.address() + OP, OP_MAP);
            NativeMemory.putInt(c.address() + FLAGS, FLAG_USERPTR);
            call(verb, c.address());
            long device = NativeMemory.getLong(c.address() + ADDRESS);
            if (device == 0) {
                throw new VerbsException(
                        Errno.ENOMEM, verb, "the accelerator has no free address for the memory; deregister some");
            }
            return device;
        }
    }

    /** Undoes a {@link #map}. */
    void unmap(String verb, long device) {
        try (Scratch c = new Scratch(SIZEOF)) {
            NativeMemory.putLong(c.address() + ADDRESS, device);
            NativeMemory.putInt(c.address() + OP, OP_UNMAP);
            call(verb, c.address());
        }
    }

    /** Calls the kernel by the request number that it knows. The number does not change while the kernel runs. */
    private void call(String verb, long at) {
        int errno = errnoOf(request, at);
        if (errno == ENOTTY && request == MEMORY) {
            errno = errnoOf(MEMORY_BEFORE_ACCEL, at);
            if (errno != ENOTTY) {
                request = MEMORY_BEFORE_ACCEL;
            }
        }
        if (errno == ENOTTY) {
            throw new VerbsException(
                    Errno.EBADF, verb, "the descriptor is not that of an accelerator; pass one of /dev/accel/accelN");
        }
        if (errno != 0) {
            throw Answers.failed(verb, errno);
        }
    }

    private int errnoOf(long number, long at) {
        return Libc.ioctl(fd, number, at) == 0 ? 0 : Answers.errno(-1);
    }

    @Override
    public void close() {
        if (ours) {
            Libc.close(fd);
        }
    }
}
