/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.VerbsException;
import io.verbs4j.hbldv.HblOpenAttr;
import io.verbs4j.provider.gaudi.layout.UcontextAttrLayout;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.Scratch;

/** The open NICs of a Gaudi: libhbl's verbs, and the rules of the device that neither it nor the kernel tells in words. */
public final class GaudiContext extends VendorContext {
    private final Accelerator accelerator;
    private final int key;

    private GaudiContext(NativeDevice device, Context context, Accelerator accelerator, HblOpenAttr attr) {
        super(device, context, candidate -> open(candidate, device, accelerator, attr));
        this.accelerator = accelerator;
        key = attr.key();
    }

    /** Opens one. What we don't know of the attributes we don't accept, and the library refuses it. */
    static GaudiContext open(NativeDevice device, Context context) {
        HblOpenAttr attr = new HblOpenAttr();
        if (context.openAttr().vendor() instanceof HblOpenAttr given) {
            attr = given;
            context.acceptOpenAttr(OpenAttrMask.VENDOR, 0);
        }
        Accelerator accelerator =
                attr.coreFd() < 0 ? Accelerator.open(device.name()) : Accelerator.ofProgram(attr.coreFd());
        try {
            return new GaudiContext(device, context, accelerator, attr);
        } catch (RuntimeException e) {
            accelerator.close();
            throw e;
        }
    }

    /** Never by {@code ibv_open_device}: of that, libhbl has one context for a whole process, whatever device is asked for. */
    private static long open(long candidate, NativeDevice device, Accelerator accelerator, HblOpenAttr attr) {
        try (Scratch c = new Scratch(UcontextAttrLayout.SIZEOF)) {
            NativeMemory.putLong(c.address() + UcontextAttrLayout.PORTS_MASK, attr.portsMask());
            NativeMemory.putInt(c.address() + UcontextAttrLayout.CORE_FD, accelerator.fd());
            long opened = Libhbl.function("hbldv_open_device").call(candidate, c.address());
            if (opened == 0) {
                int errno = Answers.errno(-1);
                throw new VerbsException(errno, "open_device", device + ": " + why(errno));
            }
            return opened;
        }
    }

    private static String why(int errno) {
        return switch (errno) {
            case Errno.EBUSY -> "it is open already, here or in another process; it is for one at a time";
            case Errno.EINVAL -> "HblOpenAttr.portsMask has ports that it does not have; 0 is all";
            case Errno.EBADF -> "HblOpenAttr.coreFd is not the descriptor of this device's accelerator";
            case Errno.EOPNOTSUPP ->
                "the libhbl that libibverbs has loaded is another one than " + Libhbl.NAME
                        + ": let one be a link to the other";
            case Errno.EACCES, Errno.EPERM -> "it is not permitted; see the rights of /dev/infiniband";
            default -> "libhbl could not open it: " + Errno.describe(errno);
        };
    }

    /** What gives the device's addresses. */
    Accelerator accelerator() {
        return accelerator;
    }

    /** The key of connections that are given none. */
    int key() {
        return key;
    }

    @Override
    public void close() {
        super.close();
        accelerator.close();
    }
}
