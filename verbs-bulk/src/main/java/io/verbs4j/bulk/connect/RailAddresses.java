/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Gid;
import io.verbs4j.bulk.control.RailAddress;

/** Converts addresses of RC queue pairs to and from the form in rail messages. */
final class RailAddresses {
    private static final int PSN = 24; // shift
    private static final int MTU = 48; // shift
    private static final int INFINIBAND = 56; // shift
    private static final int ANSWERS = 16; // shift
    private static final int READS = 24; // shift
    private static final int BYTE = 0xff;
    private static final int SHORT = 0xffff;

    private RailAddresses() {}

    static RailAddress encode(QueuePairAddress address) {
        return new RailAddress(
                address.gid().subnetPrefix(),
                address.gid().interfaceId(),
                address.qpNum()
                        | (long) address.psn() << PSN
                        | (long) address.mtu() << MTU
                        | (address.infiniband() ? 1L << INFINIBAND : 0),
                address.lid() & SHORT | address.answers() << ANSWERS | address.reads() << READS);
    }

    /** Reads an address, without checking its values. */
    static QueuePairAddress decode(RailAddress address) {
        long numbers = address.numbers();
        int port = address.port();
        return new QueuePairAddress(
                (int) numbers & QueuePairAddress.MAX_24_BITS,
                (int) (numbers >>> PSN) & QueuePairAddress.MAX_24_BITS,
                Gid.of(address.high(), address.low()),
                port & SHORT,
                (int) (numbers >>> MTU) & BYTE,
                numbers >>> INFINIBAND != 0,
                port >>> ANSWERS & BYTE,
                port >>> READS & BYTE,
                0,
                0);
    }
}
