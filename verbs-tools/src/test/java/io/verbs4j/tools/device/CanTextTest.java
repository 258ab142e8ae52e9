/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceTraits;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.TransportType;
import java.util.List;
import org.junit.jupiter.api.Test;

class CanTextTest {
    private static DeviceInfo info(DeviceAttrEx ex) {
        DeviceAttr attr = new DeviceAttr().maxPd(1).maxSrq(2).maxAh(3);
        return new DeviceInfo(
                "dev_0", TransportType.IB, "", attr, ex, 1, new VendorInfo("", java.util.Map.of()), List.of());
    }

    @Test
    void reportedCapabilitiesArePrinted() {
        DeviceAttrEx ex = new DeviceAttrEx();
        ex.offer(DeviceAttrEx.SEND_OPS_RC, QpCreateSendOps.RDMA_WRITE | QpCreateSendOps.SEND);
        ex.offer(DeviceAttrEx.SEND_OPS_UC, QpCreateSendOps.RDMA_READ);
        ex.offer(DeviceAttrEx.SEND_OPS_UD, QpCreateSendOps.SEND);
        ex.offer(DeviceAttrEx.SEND_OPS_XRC_SEND, QpCreateSendOps.NOP);
        ex.offer(DeviceAttrEx.SEND_OPS_DRIVER, 0L);
        ex.offer(DeviceAttrEx.MR_ACCESS_FLAGS, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        ex.offer(DeviceAttrEx.QP_ACCESS_FLAGS, AccessFlags.REMOTE_WRITE);
        ex.offer(DeviceAttrEx.DEVICE_TRAITS, DeviceTraits.EXCLUSIVE | DeviceTraits.COLLECTIVES);
        ex.offer(DeviceAttrEx.INTERNAL_PORTS, 1L | 1L << 63);
        assertThat(CanText.write(info(ex))).isEqualTo("""
                        hca_id:	dev_0
                        	operations of RC: RDMA_WRITE SEND
                        	operations of UC: RDMA_READ
                        	operations of UD: SEND
                        	operations of XRC_SEND: NOP
                        	operations of DRIVER: none
                        	rights of regions: LOCAL_WRITE REMOTE_WRITE
                        	rights of queue pairs: REMOTE_WRITE
                        	unlike most devices: EXCLUSIVE COLLECTIVES
                        	ports without a network: 1 64
                        	most protection domains: 1
                        	most shared receive queues: 2
                        	most address handles: 3

                        """);
        assertThat(CanText.json(info(ex)))
                .containsEntry("hca_id", "dev_0")
                .containsEntry("operations of RC", List.of("RDMA_WRITE", "SEND"))
                .containsEntry("operations of DRIVER", List.of())
                .containsEntry("ports without a network", List.of(1, 64))
                .containsEntry("most protection domains", 1);
    }

    @Test
    void unreportedCapabilitiesArePrintedAsUnknown() {
        assertThat(CanText.write(info(new DeviceAttrEx())).lines().filter(line -> line.endsWith(": not reported")))
                .hasSize(9);
    }
}
