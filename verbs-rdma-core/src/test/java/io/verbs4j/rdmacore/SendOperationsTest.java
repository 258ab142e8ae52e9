/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AtomicCap;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.TransportType;
import io.verbs4j.VerbsException;
import org.junit.jupiter.api.Test;

/** The operations of a queue pair. */
class SendOperationsTest {
    private static long of(QpInitAttrEx attr, int transport, int atomicCap, boolean windows) {
        long able = SendOperations.able(attr.qpType(), transport, new DeviceAttr().atomicCap(atomicCap), windows);
        return SendOperations.of("create_qp_ex", attr, able);
    }

    private static long able(int type, int transport, int atomicCap, boolean windows) {
        return of(new QpInitAttrEx().qpType(type), transport, atomicCap, windows);
    }

    private static String names(int type, int transport, int atomicCap, boolean windows) {
        return QpCreateSendOps.toString(able(type, transport, atomicCap, windows));
    }

    @Test
    void operationsFollowTypeTransportAndCapabilities() {
        assertThat(names(QpType.RC, TransportType.IB, AtomicCap.HCA, true))
                .isEqualTo("RDMA_WRITE|RDMA_WRITE_WITH_IMM|SEND|SEND_WITH_IMM|RDMA_READ|ATOMIC_CMP_AND_SWP|"
                        + "ATOMIC_FETCH_AND_ADD|BIND_MW");
        assertThat(names(QpType.RC, TransportType.IB, AtomicCap.NONE, false))
                .isEqualTo("RDMA_WRITE|RDMA_WRITE_WITH_IMM|SEND|SEND_WITH_IMM|RDMA_READ");
        assertThat(names(QpType.RC, TransportType.IWARP, AtomicCap.NONE, false)).isEqualTo("RDMA_WRITE|SEND|RDMA_READ");
        assertThat(names(QpType.UC, TransportType.IB, AtomicCap.HCA, true))
                .isEqualTo("RDMA_WRITE|RDMA_WRITE_WITH_IMM|SEND|SEND_WITH_IMM|BIND_MW");
        assertThat(names(QpType.UD, TransportType.IB, AtomicCap.HCA, true)).isEqualTo("SEND|SEND_WITH_IMM");
        assertThat(names(QpType.RAW_PACKET, TransportType.IB, AtomicCap.HCA, true))
                .isEqualTo("SEND");
        assertThat(able(QpType.XRC_RECV, TransportType.IB, AtomicCap.HCA, true)).isZero();
    }

    /** Both bits are needed: some drivers set the first for users inside the kernel only. */
    @Test
    void type2WindowsEnableInvalidation() {
        long type = DeviceCap.MEM_WINDOW_TYPE_2B;
        long all = type | DeviceCap.MEM_MGT_EXTENSIONS;
        long both = QpCreateSendOps.LOCAL_INV | QpCreateSendOps.SEND_WITH_INV;
        for (int qpType : new int[] {QpType.RC, QpType.UC, QpType.UD, QpType.XRC_SEND}) {
            for (long caps : new long[] {0, type, DeviceCap.MEM_MGT_EXTENSIONS, all}) {
                DeviceAttr device = new DeviceAttr().deviceCaps(caps);
                long ops = SendOperations.able(qpType, TransportType.IB, device, true);
                assertThat(ops & both).isEqualTo(qpType == QpType.RC && caps == all ? both : 0);
            }
        }
        assertThat(SendOperations.hasTypeTwo(
                        new DeviceAttr().deviceCaps(DeviceCap.MEM_WINDOW_TYPE_2A | DeviceCap.MEM_MGT_EXTENSIONS)))
                .isTrue();
    }

    @Test
    void onlyRequestedOperationsAreEnabled() {
        QpInitAttrEx sends = new QpInitAttrEx().qpType(QpType.UD).sendOpsFlags(QpCreateSendOps.SEND);
        assertThat(of(sends, TransportType.IB, AtomicCap.NONE, false)).isEqualTo(QpCreateSendOps.SEND);
        QpInitAttrEx writes = sends.sendOpsFlags(QpCreateSendOps.SEND | QpCreateSendOps.RDMA_WRITE | 1L << 50);
        assertThatThrownBy(() -> of(writes, TransportType.IB, AtomicCap.NONE, false))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP))
                .hasMessageContaining("RDMA_WRITE|0x4000000000000")
                .hasMessageContaining("type UD");
    }
}
