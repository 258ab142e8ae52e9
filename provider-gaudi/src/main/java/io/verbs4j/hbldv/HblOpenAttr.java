/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * Attributes for opening the NICs of a Gaudi, for {@link io.verbs4j.OpenAttr#vendor(Object)}. Without them, all ports
 * are opened, with an accelerator that the provider opens itself. Not thread-safe. Source: {@code struct
 * hbldv_ucontext_attr}.
 */
public final class HblOpenAttr {
    private long portsMask;
    private int coreFd = -1;
    private int key;

    /** Creates attributes for all ports, and an accelerator that the provider opens. */
    public HblOpenAttr() {}

    /** {@return the requested ports: bit 1 is port 1; 0 for all} */
    public long portsMask() {
        return portsMask;
    }

    /**
     * Sets the requested ports.
     *
     * @param mask bit 1 is port 1, and so on, as in {@link HblDeviceAttr#portsMask()} (in
     *     {@link io.verbs4j.DeviceAttrEx#internalPorts()} bit 0 is port 1); 0 for all
     * @return this
     */
    public HblOpenAttr portsMask(long mask) {
        portsMask = mask;
        return this;
    }

    /** {@return the file descriptor of the accelerator; -1 for one that the provider opens} */
    public int coreFd() {
        return coreFd;
    }

    /**
     * Sets the accelerator whose memory the NICs read and write: one that the program, or a framework in it, has
     * opened. It remains the program's and must stay open while the context is open.
     *
     * @param fd the file descriptor of {@code /dev/accel/accelN}; -1 for one that the provider opens, and closes with
     *     the context
     * @return this
     */
    public HblOpenAttr coreFd(int fd) {
        coreFd = fd;
        return this;
    }

    /** {@return the default key of connections} */
    public int key() {
        return key;
    }

    /**
     * Sets the key of connections whose state changes set none. It is the {@link io.verbs4j.MemoryRegion#rkey()} of
     * each region, the key that the peer's packets must carry, and the key that is sent. Programs that exchange the key
     * therefore work only if both set the same.
     *
     * @param value any number; the default 0 is the vendor's usual key
     * @return this
     */
    public HblOpenAttr key(int value) {
        key = value;
        return this;
    }
}
