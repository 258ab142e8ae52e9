/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.provider.gaudi.dv.DvContext;
import io.verbs4j.provider.gaudi.dv.FifoPlace;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.VendorObject;

/**
 * A FIFO of a port: by it, this process or the device's own engines ring doorbells and hand over operations. Open until it is closed; its
 * context can't be closed before. Thread-safe. Source: {@code struct hbldv_usr_fifo}.
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

    /** {@return its number at the port} */
    public int num() {
        return place.number();
    }

    /** {@return address of the index that the device has come to, good until close} */
    public long ciCpuAddr() {
        return place.consumed();
    }

    /** {@return address of its registers, good until close; 0 where they are not mapped} */
    public long regsCpuAddr() {
        return place.registers();
    }

    /** {@return its size in bytes; an entry has 8} */
    public int size() {
        return place.size();
    }

    /** {@return how full it should be at most, in bytes} */
    public int bpThresh() {
        return place.threshold();
    }

    /** Destroys it; does nothing where that was done before. */
    @Override
    public void close() {
        object.close(() -> {}, place::destroy);
    }
}
