/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.provider.gaudi.dv.DvContext;
import io.verbs4j.provider.gaudi.dv.FifoPlace;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.VendorObject;

/**
 * A FIFO of a port, through which this process or the device's own engines ring doorbells and submit operations. It
 * must be closed before its context. Thread-safe. Source: {@code struct hbldv_usr_fifo}.
 */
public final class HblUsrFifo implements AutoCloseable {
    private static final String CREATE = "hbldv_create_usr_fifo";
    private static final String KIND = "user FIFO";

    private final FifoPlace place;
    private final VendorObject object;

    private HblUsrFifo(VendorContext base, FifoPlace place) {
        this.place = place;
        object = new VendorObject(base.children(), KIND);
    }

    static HblUsrFifo create(DvContext<?, HblUsrFifoAttr> base, HblUsrFifoAttr attr) {
        return base.children().make(CREATE, KIND, () -> {
            base.prepare(CREATE, attr.portNum());
            return new HblUsrFifo(base, base.createFifo(attr));
        });
    }

    /** {@return the number at the port} */
    public int num() {
        return place.number();
    }

    /** {@return the address of the device's consumer index, valid until close} */
    public long ciCpuAddr() {
        return place.consumed();
    }

    /** {@return the address of the registers, valid until close; 0 if they are not mapped} */
    public long regsCpuAddr() {
        return place.registers();
    }

    /** {@return the size in bytes; an entry has 8} */
    public int size() {
        return place.size();
    }

    /** {@return the back-pressure threshold: how full it should be at most, in bytes} */
    public int bpThresh() {
        return place.threshold();
    }

    /** Destroys the FIFO. Does nothing if it is already closed. */
    @Override
    public void close() {
        object.close(() -> {}, place::destroy);
    }
}
