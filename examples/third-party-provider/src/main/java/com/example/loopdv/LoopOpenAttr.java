/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loopdv;

/** How the loopback device can be opened: handed to {@link io.verbs4j.OpenAttr#vendor(Object)}. */
public final class LoopOpenAttr {
    private int maxQpWr = 1024;

    /** Creates an instance that opens the device as always. */
    public LoopOpenAttr() {}

    /** {@return how many requests each queue of a queue pair may hold} */
    public int maxQpWr() {
        return maxQpWr;
    }

    /**
     * Sets {@link #maxQpWr()}.
     *
     * @param value the number, from 1
     * @return this
     */
    public LoopOpenAttr maxQpWr(int value) {
        maxQpWr = value;
        return this;
    }
}
