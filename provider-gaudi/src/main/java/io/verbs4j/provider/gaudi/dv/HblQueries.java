/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.layout.QueryPortAttrLayout;
import io.verbs4j.rdmacore.call.Answers;

/** The results of {@code hbldv_query_device} and {@code hbldv_query_port}, for the typed API. */
public final class HblQueries {
    private static final String PORT = "hbldv_query_port";

    private HblQueries() {}

    /** The values of {@link io.verbs4j.hbldv.HblDeviceAttr}. */
    public record DeviceValues(long caps, int numPorts, long portsMask, long extPortsMask, long hwPortsMask) {}

    /** The values of {@link io.verbs4j.hbldv.HblPortAttr}. */
    public record PortValues(
            int maxNumOfQps,
            int numAllocatedQps,
            int maxAllocatedQpNum,
            int maxCqSize,
            boolean hasCollectives,
            int maxNumOfScaleOutCollQps,
            int maxNumOfCollQps,
            int baseScaleOutCollQpNum,
            int baseCollQpNum,
            int collQpsOffset,
            boolean advanced,
            int maxNumOfCqs,
            int maxNumOfUsrFifos,
            int maxNumOfEncaps,
            int nicMacroIdx,
            int nicPhysPortIdx) {}

    /** Queries the open device. */
    public static DeviceValues device(DvContext<?, ?> base) {
        DeviceQuery.Told told = DeviceQuery.ask(base.address(), base.layout(), base.portsMask());
        return new DeviceValues(
                told.caps(), Long.bitCount(told.ports()), told.ports(), base.externalPorts(), told.hardware());
    }

    /** Queries a port. */
    public static PortValues port(DvContext<?, ?> base, int portNum) {
        base.prepare(PORT, portNum);
        try (Scratch c = new Scratch(2 * QueryPortAttrLayout.SIZEOF)) {
            long at = c.address();
            Answers.check(PORT, Libhbl.function(PORT).call(base.address(), portNum, at));
            return new PortValues(
                    NativeMemory.getInt(at + QueryPortAttrLayout.MAX_NUM_OF_QPS),
                    NativeMemory.getInt(at + QueryPortAttrLayout.NUM_ALLOCATED_QPS),
                    NativeMemory.getInt(at + QueryPortAttrLayout.MAX_ALLOCATED_QP_NUM),
                    NativeMemory.getInt(at + QueryPortAttrLayout.MAX_CQ_SIZE),
                    base.layout().hasCollectives(),
                    NativeMemory.getInt(at + QueryPortAttrLayout.MAX_NUM_OF_SCALE_OUT_COLL_QPS),
                    NativeMemory.getInt(at + QueryPortAttrLayout.MAX_NUM_OF_COLL_QPS),
                    NativeMemory.getInt(at + QueryPortAttrLayout.BASE_SCALE_OUT_COLL_QP_NUM),
                    NativeMemory.getInt(at + QueryPortAttrLayout.BASE_COLL_QP_NUM),
                    NativeMemory.getInt(at + QueryPortAttrLayout.COLL_QPS_OFFSET),
                    NativeMemory.getByte(at + QueryPortAttrLayout.ADVANCED) != 0,
                    NativeMemory.getByte(at + QueryPortAttrLayout.MAX_NUM_OF_CQS),
                    NativeMemory.getByte(at + QueryPortAttrLayout.MAX_NUM_OF_USR_FIFOS),
                    NativeMemory.getByte(at + QueryPortAttrLayout.MAX_NUM_OF_ENCAPS),
                    NativeMemory.getByte(at + QueryPortAttrLayout.NIC_MACRO_IDX),
                    NativeMemory.getByte(at + QueryPortAttrLayout.NIC_PHYS_PORT_IDX));
        }
    }
}
