/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.Gid;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.NetworkInterface;
import org.junit.jupiter.api.Test;

/** Senders of RoCE v2 may omit the UDP checksum, as the kernel's rdma_rxe does. */
class NoChecksumTest {
    private static final int UDP_NO_CHECK6_TX = 101;
    private static final int MSGHDR = 0;
    private static final int IOV = 64;
    private static final int NAME = 80;
    private static final int DATA = NAME + SockAddr.SPACE;

    @Test
    void packetsWithoutChecksumArriveOverIpv6() throws Exception {
        String problem = Posix.unavailable();
        assumeTrue(problem == null, "no Linux system calls: " + problem);
        byte[] one = new byte[16];
        one[15] = 1;
        InetAddress loopback = InetAddress.getByAddress(one);
        assumeTrue(NetworkInterface.getByInetAddress(loopback) != null, "no interface has the address ::1");
        try (Link link = Links.open(loopback, LinkOptions.defaults())) {
            assertThat(link).isInstanceOf(UdpLink.class);

            sendShortDatagram(Gid.of(loopback));

            long until = System.nanoTime() + Patience.NANOS;
            while (link.counters().get(LinkCounters.RX_RUNT) == 0 && System.nanoTime() < until) {
                if (link.await(100_000_000)) {
                    link.poll(packet -> {}, 1);
                }
            }
            assertThat(link.counters().get(LinkCounters.RX_RUNT))
                    .as("datagrams that reached the link")
                    .isEqualTo(1);
        }
    }

    private static void sendShortDatagram(Gid to) {
        int fd = Posix.calls().socket(Posix.AF_INET6, Posix.SOCK_DGRAM | Posix.SOCK_CLOEXEC, 0);
        assertThat(fd).isNotNegative();
        try {
            StructBuffer m = new StructBuffer(DATA + 8);
            m.putInt(DATA, 1);
            assertThat(Posix.calls().setsockopt(fd, Posix.SOL_UDP, UDP_NO_CHECK6_TX, m.address(DATA), 4))
                    .isZero();
            int size = SockAddr.put(m, NAME, to.subnetPrefix(), to.interfaceId(), Link.PORT, 0);
            m.putLong(IOV, m.address(DATA));
            m.putLong(IOV + StructBuffer.IOV_LEN, 8);
            m.putLong(MSGHDR + StructBuffer.MSG_NAME, m.address(NAME));
            m.putInt(MSGHDR + StructBuffer.MSG_NAMELEN, size);
            m.putLong(MSGHDR + StructBuffer.MSG_IOV, m.address(IOV));
            m.putLong(MSGHDR + StructBuffer.MSG_IOVLEN, 1);
            assertThat(Posix.calls().sendmsg(fd, m.address(MSGHDR), 0)).isEqualTo(8);
        } finally {
            Posix.calls().close(fd);
        }
    }
}
