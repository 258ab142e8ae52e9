/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes for opening a device: the last argument of the library's {@code open}, for devices that can be opened in
 * several ways.
 *
 * <p>The provider reads them from the context ({@link Context#openAttr()}) while it opens the device, and declares
 * which ones it has honoured ({@link Context#acceptOpenAttr(long, long)}). The library rejects those that were not
 * honoured, so a provider that does not know this class need not reject anything.
 *
 * <p>Since level 1. Source: {@code mlx5dv_open_device(3)}, {@code ibv_import_device(3)}. Not thread-safe.
 */
public final class OpenAttr extends InputAttr {
    private Object vendor;
    private int importFd;

    /** Creates an instance whose masks are empty: the device is opened in the usual way. */
    public OpenAttr() {}

    /** {@return the vendor's own attributes, of a type that the provider exports; or null} */
    public Object vendor() {
        return vendor;
    }

    /**
     * Sets {@link #vendor()} and the bit {@link OpenAttrMask#VENDOR}.
     *
     * @param value the vendor's own attributes; null clears the bit
     * @return this
     */
    public OpenAttr vendor(Object value) {
        vendor = value;
        mark(OpenAttrMask.VENDOR, value);
        return this;
    }

    /** {@return the descriptor of the context to import; -1 if there is none} Since level 4. */
    public int importFd() {
        return (compMask() & OpenAttrMask.IMPORT_FD) != 0 ? importFd : -1;
    }

    /**
     * Sets {@link #importFd()} and the bit {@link OpenAttrMask#IMPORT_FD}: the new context can import the objects of
     * the exported one, by their numbers. The device to open must be that of the other context. Since level 4.
     *
     * <p>Opening fails with {@link Errno#EBADF} or {@link Errno#EINVAL} if the descriptor is not that of a context. On
     * the embedded device it fails with {@link Errno#EACCES} if the two processes may not share memory because they
     * belong to different users, and with {@link Errno#ESRCH} if the process that created the descriptor has ended.
     *
     * @param value a descriptor of {@link Context#exportDevice()}, or its duplicate in this process after it was passed
     *     on. The program must close it, and may do so once the device is open
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
