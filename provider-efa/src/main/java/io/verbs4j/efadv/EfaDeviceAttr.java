/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.efa.layout.EfaDeviceAttrLayout;

/**
 * The limits and capabilities of a device, returned by {@link EfaDv#queryDevice()}. Source:
 * {@code efadv_query_device(3)}, {@code struct efadv_device_attr}.
 */
public final class EfaDeviceAttr extends Answer {
    private record Values(
            int maxSqWr,
            int maxRqWr,
            int maxSqSge,
            int maxRqSge,
            int inlineBufSize,
            int inlineBufSizeEx,
            int deviceCaps,
            int maxRdmaSize) {}

    private final Values values;

    EfaDeviceAttr(long at) {
        this(new Values(
                NativeMemory.getInt(at + EfaDeviceAttrLayout.MAX_SQ_WR),
                NativeMemory.getInt(at + EfaDeviceAttrLayout.MAX_RQ_WR),
                NativeMemory.getShort(at + EfaDeviceAttrLayout.MAX_SQ_SGE),
                NativeMemory.getShort(at + EfaDeviceAttrLayout.MAX_RQ_SGE),
                NativeMemory.getShort(at + EfaDeviceAttrLayout.INLINE_BUF_SIZE),
                NativeMemory.getShort(at + EfaDeviceAttrLayout.INLINE_BUF_SIZE_EX),
                NativeMemory.getInt(at + EfaDeviceAttrLayout.DEVICE_CAPS),
                NativeMemory.getInt(at + EfaDeviceAttrLayout.MAX_RDMA_SIZE)));
    }

    private EfaDeviceAttr(Values values) {
        super(values);
        this.values = values;
    }

    /** {@return the maximum number of requests of a send queue, unsigned} */
    public int maxSqWr() {
        return values.maxSqWr();
    }

    /** {@return the maximum number of requests of a receive queue, unsigned} */
    public int maxRqWr() {
        return values.maxRqWr();
    }

    /** {@return the maximum number of elements of a send} */
    public int maxSqSge() {
        return values.maxSqSge();
    }

    /** {@return the maximum number of elements of a receive} */
    public int maxRqSge() {
        return values.maxRqSge();
    }

    /** {@return the maximum inline data in bytes} */
    public int inlineBufSize() {
        return values.inlineBufSize();
    }

    /** {@return the maximum inline data of queue pairs created for more than usual, in bytes; 0 before rdma-core 63} */
    public int inlineBufSizeEx() {
        return values.inlineBufSizeEx();
    }

    /** {@return the capabilities, {@link EfaDeviceCap} bits} */
    public int deviceCaps() {
        return values.deviceCaps();
    }

    /** {@return the maximum size of an RDMA read or write in bytes, unsigned} */
    public int maxRdmaSize() {
        return values.maxRdmaSize();
    }
}
