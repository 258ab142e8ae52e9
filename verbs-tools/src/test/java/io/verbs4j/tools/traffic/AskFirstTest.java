/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceTraits;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.tools.base.ToolException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class AskFirstTest {
    private static final long SEND = QpCreateSendOps.SEND;
    private static final long WRITE = QpCreateSendOps.RDMA_WRITE;

    private static AskFirst device(int field, Object value) {
        DeviceAttrEx attr = new DeviceAttrEx();
        attr.offer(field, value);
        return new AskFirst("dev_0", attr);
    }

    private static void saidNo(ThrowingCallable asked, String... words) {
        assertThatThrownBy(asked).isInstanceOf(ToolException.class).hasMessageContainingAll(words);
    }

    @Test
    void unreportedCapabilitiesAreAssumed() {
        AskFirst silent = new AskFirst("dev_0", new DeviceAttrEx());
        assertThatCode(() -> {
                    for (Service service : Service.values()) {
                        silent.operation(service, SEND, "no");
                    }
                    silent.sharedReceives();
                    silent.events();
                    silent.twice("no");
                })
                .doesNotThrowAnyException();
    }

    @Test
    void missingOperationFailsWithSupportedOnes() {
        AskFirst device = device(DeviceAttrEx.SEND_OPS_RC, WRITE);
        device.operation(Service.RC, WRITE, "");
        saidNo(
                () -> device.operation(Service.RC, SEND, "Do that"),
                "dev_0 has no SEND on queue pairs of type RC; it supports RDMA_WRITE. Do that");
        saidNo(() -> device.operation(Service.RC, SEND | WRITE, ""), "no SEND on", "it supports RDMA_WRITE");
        saidNo(() -> device.operation(Service.SRQ, SEND, ""), "no SEND on queue pairs of type RC");
        device.operation(Service.UC, SEND, ""); // the device reports nothing about UC
    }

    @Test
    void servicesAreCheckedByQueuePairType() {
        saidNo(() -> device(DeviceAttrEx.SEND_OPS_UC, 0L).operation(Service.UC, SEND, ""), "no queue pairs of type UC");
        saidNo(() -> device(DeviceAttrEx.SEND_OPS_UD, 0L).operation(Service.UD, SEND, ""), "no queue pairs of type UD");
        saidNo(
                () -> device(DeviceAttrEx.SEND_OPS_DRIVER, SEND).operation(Service.SRD, WRITE, ""),
                "no RDMA_WRITE on queue pairs of type SRD");
    }

    @Test
    void missingTraitsAndSrqAreRefused() {
        AskFirst unlike =
                device(DeviceAttrEx.DEVICE_TRAITS, DeviceTraits.EXCLUSIVE | DeviceTraits.NO_COMPLETION_EVENTS);
        saidNo(() -> unlike.twice("Take two"), "dev_0 can be opened only once", "Take two");
        saidNo(unlike::events, "leave out -e");
        AskFirst keys = device(DeviceAttrEx.DEVICE_TRAITS, DeviceTraits.KEYS_BY_CONNECTION);
        keys.twice("");
        keys.events();
        saidNo(device(DeviceAttrEx.ORIG_ATTR, new DeviceAttr())::sharedReceives, "max_srq is 0");
        device(DeviceAttrEx.ORIG_ATTR, new DeviceAttr().maxSrq(1)).sharedReceives();
    }
}
