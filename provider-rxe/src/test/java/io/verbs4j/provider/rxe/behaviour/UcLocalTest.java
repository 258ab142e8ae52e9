/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** UC between two contexts of one device, as far as it differs from UC between two devices. */
class UcLocalTest extends TwoSides {
    @Override
    boolean overTheWire() {
        return false;
    }

    @BeforeEach
    void connectUc() {
        start(s -> s.qpType = QpType.UC);
    }

    /** {@code TooLongTest} covers packets: the tests of {@link UcPathsTest} also run on the kernel's device. */
    @Test
    void tooLongMessageIsLostAndReceiveStays() {
        b.recv(1, 0, 1999);
        for (int size : new int[] {2000, 5000, 1999}) {
            a.post(Side.wr(WrOpcode.SEND, size, a.sge(0, size)));
            a.next(size, WcStatus.SUCCESS);
        }
        assertThat(b.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(1999);
        b.assertPattern(0, 1, 0, 1999);
    }
}
