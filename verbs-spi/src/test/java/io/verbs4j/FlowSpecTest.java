/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Filters hold the bytes of a header in network byte order, and the bits that must match. */
class FlowSpecTest {
    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static void holds(FlowFilter filter, int type, String value, String mask) {
        assertEquals(type, filter.type());
        assertEquals(value, HexFormat.of().formatHex(filter.value()));
        assertEquals(mask, HexFormat.of().formatHex(filter.mask()));
        assertEquals(value.length() / 2, filter.size());
    }

    @Test
    void ethernetFilterHoldsHeaderBytes() {
        FlowSpecEth eth = new FlowSpecEth()
                .dstMac(bytes("020000000001"))
                .srcMac(bytes("0a0b0c0d0e0f"), bytes("ffffff000000"))
                .etherType(0x0800)
                .vlanTag(0x0123, 0x0fff);
        holds(
                eth,
                FlowSpecType.ETH,
                "020000000001" + "0a0b0c0d0e0f" + "0800" + "0123",
                "ffffffffffff" + "ffffff000000" + "ffff" + "0fff");
        assertArrayEquals(bytes("020000000001"), eth.dstMac());
        assertArrayEquals(bytes("ffffff000000"), eth.srcMacMask());
        assertEquals(0x0800, eth.etherType());
        assertEquals(0x0fff, eth.vlanTagMask());
        assertEquals("ETH 0200000000010a0b0c......08000123", eth.toString());
    }

    @Test
    void ipFiltersHoldHeaderBytes() {
        holds(
                new FlowSpecIpv4().srcIp(bytes("0a000001")).dstIp(bytes("0a000100"), bytes("ffffff00")),
                FlowSpecType.IPV4,
                "0a0000010a000100",
                "ffffffffffffff00");
        holds(
                new FlowSpecIpv4Ext().proto(17).tos(0x20, 0xf0).ttl(64).flags(2),
                FlowSpecType.IPV4_EXT,
                "0000000000000000" + "11204002",
                "0000000000000000" + "fff0ffff");
        String zeros = "00".repeat(16);
        holds(
                new FlowSpecIpv6()
                        .dstIp(bytes("fd" + "00".repeat(14) + "01"))
                        .flowLabel(0x12345, 0xfffff)
                        .nextHdr(6)
                        .trafficClass(3)
                        .hopLimit(255),
                FlowSpecType.IPV6,
                zeros + "fd" + "00".repeat(14) + "01" + "00012345" + "0603ff00",
                zeros + "ff".repeat(16) + "000fffff" + "ffffff00");
    }

    @Test
    void transportAndTunnelFiltersHoldHeaderBytes() {
        holds(FlowSpecTcpUdp.udp().dstPort(4791), FlowSpecType.UDP, "12b70000", "ffff0000");
        holds(FlowSpecTcpUdp.tcp().srcPort(80, 0xff), FlowSpecType.TCP, "00000050", "000000ff");
        holds(new FlowSpecTunnel().tunnelId(0x123456), FlowSpecType.VXLAN_TUNNEL, "00123456", "ffffffff");
        holds(
                new FlowSpecGre().cKsRes0Ver(0x2000).protocol(0x6558).key(-2),
                FlowSpecType.GRE,
                "20006558fffffffe",
                "ffffffffffffffff");
        holds(new FlowSpecMpls().label(0x00100, -256), FlowSpecType.MPLS, "00000100", "ffffff00");
        holds(new FlowSpecEsp().spi(7).seq(9, 0), FlowSpecType.ESP, "0000000700000009", "ffffffff00000000");
    }

    @Test
    void innerFiltersHaveInnerBit() {
        FlowSpecIpv4 outer = new FlowSpecIpv4();
        FlowSpecIpv4 inner = new FlowSpecIpv4().inner(true);
        assertFalse(outer.isInner());
        assertTrue(inner.isInner());
        assertEquals(FlowSpecType.INNER | FlowSpecType.IPV4, inner.type());
        assertEquals("INNER|IPV4", FlowSpecType.toString(inner.type()));
        assertEquals(FlowSpecType.IPV4, inner.inner(false).type());
        assertEquals("INNER|unknown (5)", FlowSpecType.toString(0x105));
    }

    @Test
    void valuesThatDoNotFitFail() {
        FlowSpecEth eth = new FlowSpecEth();
        for (Runnable wrong : new Runnable[] {
            () -> eth.dstMac(new byte[5]),
            () -> eth.dstMac(new byte[6], new byte[4]),
            () -> eth.etherType(0x10000),
            () -> eth.etherType(-1),
            () -> eth.vlanTag(1, 0x10000),
            () -> new FlowSpecIpv4Ext().ttl(256),
        }) {
            String message =
                    assertThrows(IllegalArgumentException.class, wrong::run).getMessage();
            assertTrue(message.contains("both must"), message);
        }
        holds(eth, FlowSpecType.ETH, "00".repeat(16), "00".repeat(16));
    }

    /** A reader that changes its copy changes nothing. */
    @Test
    void bytesAreCopied() {
        byte[] mac = bytes("020000000001");
        FlowSpecEth eth = new FlowSpecEth().dstMac(mac);
        mac[0] = 9;
        eth.value()[0] = 9;
        eth.dstMac()[0] = 9;
        eth.mask()[0] = 0;
        assertEquals(2, eth.dstMac()[0]);
        assertEquals(-1, eth.dstMacMask()[0]);
        FlowSpec[] specs = {eth};
        FlowAttr attr = new FlowAttr().specs(specs);
        specs[0] = null;
        attr.specs()[0] = null;
        assertEquals(eth, attr.specs()[0]);
    }

    @Test
    void flowsFormatAsText() {
        assertEquals("nothing set", new FlowAttr().toString());
        FlowAttr attr = new FlowAttr()
                .type(FlowType.SNIFFER)
                .priority(3)
                .port(1)
                .flags(FlowFlags.DONT_TRAP)
                .specs(FlowSpecTcpUdp.udp().dstPort(5), new FlowSpecActionTag(0x77), new FlowSpecActionDrop());
        assertEquals(
                "type SNIFFER, priority 3, port 1, flags DONT_TRAP, specs [UDP 0005...., ACTION_TAG 0x77, ACTION_DROP]",
                attr.toString());
        assertEquals(0, attr.compMask());
        assertEquals(0x77, new FlowSpecActionTag(0x77).tagId());
        assertEquals(FlowSpecType.ACTION_DROP, new FlowSpecActionDrop().type());
        assertThrows(NullPointerException.class, () -> new FlowSpecActionCount(null));
    }
}
