/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpCreateSendOps;
import io.verbs4j.bulk.control.Hello;
import org.junit.jupiter.api.Test;

/** What devices say of themselves, what two of them agree on, and what is said where they can't. */
class ProtocolTest {
    private static final long OPERATIONS = QpCreateSendOps.SEND
            | QpCreateSendOps.RDMA_WRITE
            | QpCreateSendOps.RDMA_WRITE_WITH_IMM
            | QpCreateSendOps.RDMA_READ;
    private static final long RING = 1 << 20;
    private static final Abilities WRITE = new Abilities(Abilities.WRITE);
    private static final Abilities NO_READ = new Abilities(Abilities.SEND | Abilities.WRITE | Abilities.IMMEDIATE);
    private static final Abilities NO_IMMEDIATE = new Abilities(Abilities.SEND | Abilities.WRITE | Abilities.READ);

    private static Hello hello(int version, Abilities abilities) {
        return new Hello(version, 32, 1, 7, RING, 0, 4096, abilities.bits());
    }

    private static Protocol protocol(Abilities own, Abilities peer) {
        assertThat(Protocol.refusal(own, hello(2, peer))).isNull();
        assertThat(Protocol.of(peer, hello(2, own)))
                .as("the other side agrees")
                .isEqualTo(Protocol.of(own, hello(2, peer)));
        return Protocol.of(own, hello(2, peer));
    }

    @Test
    void devicesSayWhatTheyCan() {
        assertThat(Abilities.of(OPERATIONS | QpCreateSendOps.FLUSH, 1)).isEqualTo(Abilities.ALL);
        assertThat(Abilities.of(OPERATIONS & ~QpCreateSendOps.RDMA_READ, 16)).isEqualTo(NO_READ);
        assertThat(Abilities.of(OPERATIONS, 0)).as("a depth of 0").isEqualTo(NO_READ);
        assertThat(Abilities.of(OPERATIONS & ~QpCreateSendOps.RDMA_WRITE_WITH_IMM, 1))
                .isEqualTo(NO_IMMEDIATE);
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThat(Abilities.ALL.missing()).isNull();
        assertThat(WRITE.missing()).isNull();
        assertThat(new Abilities(Abilities.READ).missing()).isEqualTo("RDMA_WRITE");
        Abilities none = new Abilities(0);
        assertThat(Protocol.refusal(Abilities.ALL, hello(2, none))).isEqualTo("its device lacks RDMA_WRITE");
        assertThat(Protocol.refusal(none, hello(2, new Abilities(Abilities.SEND))))
                .isEqualTo("the device of this side lacks RDMA_WRITE; its device lacks RDMA_WRITE");
    }

    @Test
    void bothSidesNeedAnOperation() {
        assertThat(protocol(Abilities.ALL, Abilities.ALL)).isEqualTo(new Protocol(false, true, true));
        assertThat(protocol(Abilities.ALL, NO_READ)).isEqualTo(new Protocol(false, false, true));
        assertThat(protocol(NO_IMMEDIATE, Abilities.ALL)).isEqualTo(new Protocol(false, true, false));
        assertThat(protocol(NO_IMMEDIATE, NO_READ)).isEqualTo(new Protocol(false, false, false));
    }

    @Test
    void messagesAreWrittenWhereOneSideHasNoSend() {
        assertThat(protocol(WRITE, WRITE)).isEqualTo(new Protocol(true, false, false));
        assertThat(protocol(Abilities.ALL, WRITE)).isEqualTo(new Protocol(true, false, false));
        Abilities writeAndRead = new Abilities(Abilities.WRITE | Abilities.READ | Abilities.IMMEDIATE);
        assertThat(protocol(writeAndRead, Abilities.ALL)).isEqualTo(new Protocol(true, true, false));
        Hello withoutRing = new Hello(2, 32, 1, 7, 0, 0, 4096, Abilities.WRITE);
        assertThat(Protocol.refusal(Abilities.ALL, withoutRing)).contains("gives no memory", "SEND");
    }

    /** Version 1 has one way, and knows no abilities. */
    @Test
    void peerOfVersionOneNeedsEverything() {
        assertThat(Protocol.refusal(Abilities.ALL, hello(1, new Abilities(0)))).isNull();
        assertThat(Protocol.of(Abilities.ALL, hello(1, new Abilities(0)))).isEqualTo(new Protocol(false, true, true));
        assertThat(Protocol.refusal(NO_READ, hello(1, new Abilities(0)))).contains("version 1", "RDMA_READ");
    }

    @Test
    void abilitiesOfLaterVersionsDoNoHarm() {
        Abilities more = new Abilities(Abilities.ALL.bits() | 1L << 40);
        assertThat(Protocol.refusal(NO_READ, hello(3, more))).isNull();
        assertThat(Protocol.of(Abilities.ALL, hello(3, more))).isEqualTo(new Protocol(false, true, true));
    }
}
