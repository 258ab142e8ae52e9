/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.dv.DvContext;
import io.verbs4j.provider.gaudi.dv.Libhbl;
import io.verbs4j.provider.gaudi.layout.EncapAttrLayout;
import io.verbs4j.provider.gaudi.layout.EncapLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.object.VendorObject;

/**
 * An encapsulation of the packets of an external port. It must be closed before its context. Thread-safe. Source:
 * {@code struct hbldv_encap}.
 */
public final class HblEncap implements AutoCloseable {
    private static final String CREATE = "hbldv_create_encap";
    private static final String DESTROY = "hbldv_destroy_encap";
    private static final String KIND = "encapsulation";
    private static final int MAX_HEADER = 32;
    private static final int SHORT = 0xffff;

    private final long struct;
    private final int number;
    private final VendorObject object;

    private HblEncap(VendorContext base, long struct) {
        this.struct = struct;
        number = NativeMemory.getInt(struct + EncapLayout.ENCAP_NUM);
        object = new VendorObject(base.children(), KIND);
    }

    static HblEncap create(DvContext<?, ?> base, HblEncapAttr attr) {
        byte[] header = attr.header() == null ? new byte[0] : attr.header();
        if (header.length > MAX_HEADER || header.length % Integer.BYTES != 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    CREATE,
                    "header has " + header.length + " bytes; its length must be a multiple of 4, up to 32");
        }
        Answers.narrow(CREATE, "udpDstPort", attr.udpDstPort(), SHORT);
        return base.children().make(CREATE, KIND, () -> {
            base.prepare(CREATE, attr.portNum());
            try (Scratch c = new Scratch(EncapAttrLayout.SIZEOF + MAX_HEADER)) {
                long at = c.address();
                long copy = at + EncapAttrLayout.SIZEOF;
                NativeMemory.putBytes(copy, header);
                NativeMemory.putLong(at + EncapAttrLayout.TNL_HDR_PTR, header.length == 0 ? 0 : copy);
                NativeMemory.putInt(at + EncapAttrLayout.TNL_HDR_SIZE, header.length);
                NativeMemory.putInt(at + EncapAttrLayout.IPV4_ADDR, attr.ipv4Addr());
                NativeMemory.putInt(at + EncapAttrLayout.PORT_NUM, attr.portNum());
                NativeMemory.putShort(at + EncapAttrLayout.UDP_DST_PORT, attr.udpDstPort());
                NativeMemory.putInt(at + EncapAttrLayout.ENCAP_TYPE, attr.type());
                return new HblEncap(
                        base,
                        Answers.checkPointer(CREATE, Libhbl.function(CREATE).call(base.address(), at)));
            }
        });
    }

    /** {@return the number at the port, for {@link HblQpAttr#encapNum(int)}} */
    public int encapNum() {
        return number;
    }

    /** Destroys the encapsulation. Does nothing if it is already closed. */
    @Override
    public void close() {
        object.close(
                () -> {}, () -> Answers.check(DESTROY, Libhbl.function(DESTROY).call(struct)));
    }
}
