/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpCreateSendOps;
import io.verbs4j.bulk.control.Hello;
import org.junit.jupiter.api.Test;

/** Abilities that devices report, the protocol that two of them agree on, and the reason if they can't. */
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
        assertThat(Protocol.refusal(own, hello(2, peer), false)).isNull();
        assertThat(Protocol.of(peer, hello(2, own), false))
                .as("the other side agrees")
                .isEqualTo(Protocol.of(own, hello(2, peer), false));
        return Protocol.of(own, hello(2, peer), false);
    }

    @Test
    void abilitiesFollowFromOperationsOfDevice() {
        assertThat(Abilities.of(OPERATIONS | QpCreateSendOps.FLUSH, 1)).isEqualTo(Abilities.ALL);
        assertThat(Abilities.of(OPERATIONS & ~QpCreateSendOps.RDMA_READ, 16)).isEqualTo(NO_READ);
        assertThat(Abilities.of(OPERATIONS, 0)).as("a depth of 0").isEqualTo(NO_READ);
        assertThat(Abilities.of(OPERATIONS & ~QpCreateSendOps.RDMA_WRITE_WITH_IMM, 1))
                .isEqualTo(NO_IMMEDIATE);
    }

    @Test
    void missingOperationIsNamed() {
        assertThat(Abilities.ALL.missing()).isNull();
        assertThat(WRITE.missing()).isNull();
        assertThat(new Abilities(Abilities.READ).missing()).isEqualTo("RDMA_WRITE");
        Abilities none = new Abilities(0);
        assertThat(Protocol.refusal(Abilities.ALL, hello(2, none), false)).isEqualTo("its device lacks RDMA_WRITE");
        assertThat(Protocol.refusal(none, hello(2, new Abilities(Abilities.SEND)), false))
                .isEqualTo("the device of this side lacks RDMA_WRITE; its device lacks RDMA_WRITE");
    }

    @Test
    void operationRequiresBothSides() {
        assertThat(protocol(Abilities.ALL, Abilities.ALL)).isEqualTo(new Protocol(false, true, false, true, true));
        assertThat(protocol(Abilities.ALL, NO_READ)).isEqualTo(new Protocol(false, true, false, false, true));
        assertThat(protocol(NO_IMMEDIATE, Abilities.ALL)).isEqualTo(new Protocol(false, true, false, true, false));
        assertThat(protocol(NO_IMMEDIATE, NO_READ)).isEqualTo(new Protocol(false, true, false, false, false));
    }

    @Test
    void messagesAreWrittenIfOneSideLacksSend() {
        assertThat(protocol(WRITE, WRITE)).isEqualTo(new Protocol(false, true, true, false, false));
        assertThat(protocol(Abilities.ALL, WRITE)).isEqualTo(new Protocol(false, true, true, false, false));
        Abilities writeAndRead = new Abilities(Abilities.WRITE | Abilities.READ | Abilities.IMMEDIATE);
        assertThat(protocol(writeAndRead, Abilities.ALL)).isEqualTo(new Protocol(false, true, true, true, false));
        Hello withoutRing = new Hello(2, 32, 1, 7, 0, 0, 4096, Abilities.WRITE);
        assertThat(Protocol.refusal(Abilities.ALL, withoutRing, false)).contains("offers no memory", "SEND");
    }

    /** Version 1 has one protocol and no abilities. */
    @Test
    void peerOfVersionOneRequiresAllOperations() {
        assertThat(Protocol.refusal(Abilities.ALL, hello(1, new Abilities(0)), false))
                .isNull();
        assertThat(Protocol.of(Abilities.ALL, hello(1, new Abilities(0)), false))
                .isEqualTo(new Protocol(false, true, false, true, true));
        assertThat(Protocol.refusal(NO_READ, hello(1, new Abilities(0)), false)).contains("version 1", "RDMA_READ");
    }

    @Test
    void unknownAbilitiesAreIgnored() {
        Abilities more = new Abilities(Abilities.ALL.bits() | 1L << 40);
        assertThat(Protocol.refusal(NO_READ, hello(3, more), false)).isNull();
        assertThat(Protocol.of(Abilities.ALL, hello(3, more), false))
                .isEqualTo(new Protocol(false, true, false, true, true));
    }

    @Test
    void datagramsRequireNoOtherAbility() {
        Abilities alone = Abilities.of(0, 0).withDatagrams(QpCreateSendOps.SEND | QpCreateSendOps.SEND_WITH_IMM, 0);
        assertThat(alone).isEqualTo(new Abilities(Abilities.DATAGRAMS));
        assertThat(alone.missing()).isNull();
        assertThat(alone.usesDatagrams()).isTrue();
        Abilities both = new Abilities(Abilities.ALL.bits() | Abilities.DATAGRAMS);
        assertThat(both.usesDatagrams()).isFalse();
        assertThat(Abilities.of(OPERATIONS, 1).withDatagrams(QpCreateSendOps.SEND, OPERATIONS))
                .isEqualTo(both);

        assertThat(Protocol.refusal(alone, hello(2, both), true)).isNull();
        assertThat(Protocol.of(alone, hello(2, both), true)).isEqualTo(new Protocol(true, false, false, false, true));
        assertThat(Protocol.refusal(both, hello(2, alone), false)).isEqualTo("its device lacks RDMA_WRITE");
        assertThat(Protocol.refusal(Abilities.ALL, hello(2, alone), true))
                .isEqualTo("the device of this side lacks datagrams");
        assertThat(Protocol.refusal(alone, hello(1, new Abilities(0)), true)).isEqualTo("its device lacks datagrams");
    }

    /** For an old peer, a device with datagrams is as good as one without. */
    @Test
    void datagramsAreIgnoredByOldPeer() {
        Abilities both = new Abilities(Abilities.ALL.bits() | Abilities.DATAGRAMS);
        assertThat(Protocol.refusal(both, hello(1, new Abilities(0)), false)).isNull();
    }

    /** A vendor's own type of datagrams is used if there are no reliable connections. */
    @Test
    void losslessDatagramsMayAccessRemoteMemory() {
        Abilities sends = Abilities.of(0, 0).withDatagrams(QpCreateSendOps.SEND, QpCreateSendOps.SEND);
        Abilities reads = Abilities.of(0, 0)
                .withDatagrams(QpCreateSendOps.SEND, QpCreateSendOps.SEND | QpCreateSendOps.RDMA_READ);
        Abilities all = Abilities.of(0, 0).withDatagrams(QpCreateSendOps.SEND, OPERATIONS);
        assertThat(sends).isEqualTo(new Abilities(Abilities.DATAGRAMS | Abilities.LOSSLESS));
        assertThat(Protocol.of(all, hello(2, all), true)).isEqualTo(new Protocol(true, true, false, true, true));
        assertThat(Protocol.of(all, hello(2, reads), true)).isEqualTo(new Protocol(true, false, false, true, true));
        assertThat(Protocol.of(sends, hello(2, all), true)).isEqualTo(new Protocol(true, false, false, false, true));
        assertThat(Protocol.refusal(all, hello(2, sends), true)).isNull();
        assertThat(Protocol.refusal(all, hello(2, new Abilities(Abilities.DATAGRAMS)), true))
                .contains("type UD", "vendor's own type");
    }
}
