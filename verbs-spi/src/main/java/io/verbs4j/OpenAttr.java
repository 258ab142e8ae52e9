/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * How a device is opened: the last argument of the library's {@code open}, where a device has more than one way.
 *
 * <p>The provider reads it from the context ({@link Context#openAttr()}) while it opens the device, and says what of it it has
 * honoured ({@link Context#acceptOpenAttr(long, long)}). The library refuses what nobody has honoured: a provider that knows
 * nothing of this class need not refuse anything.
 *
 * <p>Since level 1. Source: {@code mlx5dv_open_device(3)}, {@code ibv_import_device(3)}. Not thread-safe.
 */
public final class OpenAttr extends InputAttr {
    private Object vendor;
    private int importFd;

    /** Creates an instance whose masks are empty: the device is opened as always. */
    public OpenAttr() {}

    /** {@return attributes of the vendor's own, of a type that the provider exports; or null} */
    public Object vendor() {
        return vendor;
    }

    /**
     * Sets {@link #vendor()} and the bit {@link OpenAttrMask#VENDOR}.
     *
     * @param value attributes of the vendor's own; null clears the bit, as if it had never been set
     * @return this
     */
    public OpenAttr vendor(Object value) {
        vendor = value;
        mark(OpenAttrMask.VENDOR, value);
        return this;
    }

    /** {@return the descriptor of the context that is imported; -1 where none is} Since level 4. */
    public int importFd() {
        return (compMask() & OpenAttrMask.IMPORT_FD) != 0 ? importFd : -1;
    }

    /**
     * Sets {@link #importFd()} and the bit {@link OpenAttrMask#IMPORT_FD}: the new context shares the objects of the one that the
     * descriptor was made of, by their numbers. The device to open must be that of the other context. Since level 4.
     *
     * <p>Opening fails with {@link Errno#EBADF} or {@link Errno#EINVAL} where the descriptor is none of a context. On
     * the embedded device it fails with {@link Errno#EACCES} where the two processes may not share memory because they
     * belong to different users, and with {@link Errno#ESRCH} where the process that made the descriptor has ended.
     *
     * @param value a descriptor of {@link Context#exportDevice()}, or what it has become in this process when it was passed on; it
     *     stays the program's to close, and may be closed when the device is open
     * @return this
     */
    public OpenAttr importFd(int value) {
        importFd = value;
        mark(OpenAttrMask.IMPORT_FD);
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
