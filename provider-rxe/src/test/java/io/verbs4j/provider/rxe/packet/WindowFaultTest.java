/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpType;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Full;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Windows of type 2 over a network that loses, duplicates, delays and reorders packets: each is invalidated once, by
 * the right side.
 */
@Full
class WindowFaultTest {
    private static final int ROUNDS = 300;
    private static final int BYTES = 3000;

    @ParameterizedTest
    @ValueSource(strings = {"drop=0.1", "duplicate=0.2", "drop=0.05,duplicate=0.05,delay=0.05,reorder=0.05"})
    void windowsAreInvalidatedOnceDespiteFaults(String faults) {
        try (Subject a = new Subject(QpType.RC, faults + ",delay-ms=1,seed=1", 1 << 16);
                Subject b = new Subject(QpType.RC, faults + ",delay-ms=1,seed=2", 1 << 16);
                MemoryRegion mr =
                        b.pd.regMr(ByteBuffer.allocateDirect(BYTES), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
                MemoryWindow mw = b.pd.allocMw(MwType.TYPE_2)) {
            for (Subject s : new Subject[] {a, b}) {
                s.expectLoss();
            }
            a.connect(b.gid(), b.qp.qpNum(), 0xffff00, 77);
            b.connect(a.gid(), a.qp.qpNum(), 77, 0xffff00);
            for (int i = 0; i < ROUNDS; i++) {
                a.recv(1, 0, 8);
                b.post(bind(mw, mr).next(b.wr(WrOpcode.SEND, 3, 0, 8)));
                b.next(2, WcStatus.SUCCESS);
                a.next(1, WcStatus.SUCCESS);
                b.next(3, WcStatus.SUCCESS);
                b.recv(4, 0, BYTES);
                SendWorkRequest last =
                        a.wr(WrOpcode.SEND_WITH_INV, 6, 0, i * 37 % BYTES).invalidateRkey(mw.rkey());
                SendWorkRequest write = a.wr(WrOpcode.RDMA_WRITE, 5, 0, BYTES)
                        .remoteAddr(mr.addr())
                        .rkey(mw.rkey());
                a.post(i % 2 == 0 ? write.next(last) : write);
                a.next(5, WcStatus.SUCCESS);
                if (i % 2 == 0) {
                    WorkCompletion wc = b.next(4, WcStatus.SUCCESS);
                    assertThat(wc.wcFlags()).isEqualTo(WcFlags.WITH_INV);
                    assertThat(wc.invalidatedRkey()).isEqualTo(mw.rkey());
                    a.next(6, WcStatus.SUCCESS);
                } else {
                    b.post(b.wr(WrOpcode.RDMA_READ, 7, 0, 0).remoteAddr(0).rkey(0));
                    b.post(new SendWorkRequest()
                            .opcode(WrOpcode.LOCAL_INV)
                            .wrId(8)
                            .sendFlags(SendFlags.SIGNALED)
                            .invalidateRkey(mw.rkey()));
                    b.next(7, WcStatus.SUCCESS);
                    b.next(8, WcStatus.SUCCESS);
                    a.post(a.wr(WrOpcode.SEND, 6, 0, 4)); // into the posted receive
                    a.next(6, WcStatus.SUCCESS);
                    b.next(4, WcStatus.SUCCESS);
                }
            }
        }
    }

    private static SendWorkRequest bind(MemoryWindow mw, MemoryRegion mr) {
        return new SendWorkRequest()
                .opcode(WrOpcode.BIND_MW)
                .wrId(2)
                .sendFlags(SendFlags.SIGNALED)
                .mw(mw)
                .mwRkey(MemoryWindow.incRkey(mw.rkey()))
                .mwBind(new MwBind().mr(mr).addr(mr.addr()).length(BYTES).mwAccessFlags(AccessFlags.REMOTE_WRITE));
    }
}
