/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import org.junit.jupiter.api.Test;

/** UC between two contexts of one device: without packets. */
class UcLocalTest extends UcBehaviour {
    @Override
    boolean overTheWire() {
        return false;
    }

    /** With packets between {@code TooLongTest} shows it: what {@link UcWireTest} has is asked of the kernel's device too. */
    @Test
    void aMessageThatIsLongerThanItsReceiveIsLostAndTheReceiveStays() {
        b.recv(1, 0, 1999);
        for (int size : new int[] {2000, 5000, 1999}) {
            a.post(Side.wr(WrOpcode.SEND, size, a.sge(0, size)));
            a.next(size, WcStatus.SUCCESS);
        }
        assertThat(b.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(1999);
        b.assertPattern(0, 1, 0, 1999);
    }
}
