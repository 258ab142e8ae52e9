/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * How the NICs of a Gaudi are opened, for {@link io.verbs4j.OpenAttr#vendor(Object)}; without it, all ports, with an accelerator that the
 * provider opens itself. Not thread-safe. Source: {@code struct hbldv_ucontext_attr}.
 */
public final class HblOpenAttr {
    private long portsMask;
    private int coreFd = -1;
    private int key;

    /** All ports, and an accelerator that the provider opens. */
    public HblOpenAttr() {}

    /** {@return which ports are wanted: bit 1 is port 1; 0 for all} */
    public long portsMask() {
        return portsMask;
    }

    /**
     * Says which ports are wanted.
     *
     * @param mask bit 1 is port 1, and so on, as in {@link HblDeviceAttr#portsMask()} (in {@link
     *     io.verbs4j.DeviceAttrEx#internalPorts()} bit 0 is port 1); 0 for all
     * @return this
     */
    public HblOpenAttr portsMask(long mask) {
        portsMask = mask;
        return this;
    }

    /** {@return the descriptor of the accelerator; -1 for one that the provider opens} */
    public int coreFd() {
        return coreFd;
    }

    /**
     * Says whose memory the NICs read and write: that of an accelerator which the program, or a framework in it, has open. It stays
     * the program's, and open while the context is.
     *
     * @param fd the descriptor of {@code /dev/accel/accelN}; -1 for one that the provider opens, and closes with the context
     * @return this
     */
    public HblOpenAttr coreFd(int fd) {
        coreFd = fd;
        return this;
    }

    /** {@return the key of connections that are given none} */
    public int key() {
        return key;
    }

    /**
     * Sets the key of connections that are given none at their change of state: it is what {@link io.verbs4j.MemoryRegion#rkey()} tells of each region,
     * what the peer's packets must carry, and what is sent. So programs that tell each other the key work where both have set the same.
     *
     * @param value any number; 0, the vendor's usual, unless it is set
     * @return this
     */
    public HblOpenAttr key(int value) {
        key = value;
        return this;
    }
}
