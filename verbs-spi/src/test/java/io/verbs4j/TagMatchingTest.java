/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class TagMatchingTest {
    /** {@code struct ibv_tmh} and {@code struct ibv_rvh}, byte by byte. */
    private static final byte[] REQUEST = {
        1,
        0,
        0,
        0,
        0x0a,
        0x0b,
        0x0c,
        0x0d, // operation, three unused, priv
        (byte) 0x81,
        2,
        3,
        4,
        5,
        6,
        7,
        8, // tag
        0x11,
        0x12,
        0x13,
        0x14,
        0x15,
        0x16,
        0x17,
        0x18, // address
        0x21,
        0x22,
        0x23,
        0x24,
        (byte) 0xf1,
        0x32,
        0x33,
        0x34 // rkey, length
    };

    @Test
    void headersMatchWireFormat() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            ByteBuffer buffer =
                    ByteBuffer.allocate(3 + TmHeader.RNDV_LENGTH).order(order).position(1);
            for (int i = 0; i < buffer.capacity(); i++) {
                buffer.put(i, (byte) -1);
            }
            TmHeader.writeRndv(buffer, 3, 0x0a0b0c0d, 0x8102030405060708L, 0x1112131415161718L, 0x21222324, 0xf1323334);

            byte[] written = new byte[TmHeader.RNDV_LENGTH];
            buffer.get(3, written);
            assertArrayEquals(REQUEST, written, order.toString());
            assertEquals(1, buffer.position());
            assertEquals(-1, buffer.get(2));
            assertEquals(TmHeader.RNDV, TmHeader.operation(buffer, 3));
            assertEquals(0x0a0b0c0d, TmHeader.priv(buffer, 3));
            assertEquals(0x8102030405060708L, TmHeader.tag(buffer, 3));
            assertEquals(0x1112131415161718L, TmHeader.addr(buffer, 3));
            assertEquals(0x21222324, TmHeader.rkey(buffer, 3));
            assertEquals(0xf1323334, TmHeader.length(buffer, 3));

            TmHeader.write(buffer, 3, TmHeader.EAGER, -1, 9);
            assertEquals(TmHeader.EAGER, TmHeader.operation(buffer, 3));
            assertEquals(-1, TmHeader.priv(buffer, 3));
            assertEquals(9, TmHeader.tag(buffer, 3));
            assertEquals(0x1112131415161718L, TmHeader.addr(buffer, 3), "is no header's");
            buffer.put(3, (byte) 0xfe);
            assertEquals(0xfe, TmHeader.operation(buffer, 3));
        }
    }

    @Test
    void requestsReturnWhatWasSet() {
        OpsWorkRequest next = new OpsWorkRequest().wrId(2).opcode(OpsWrOpcode.TAG_DEL);
        ScatterGatherElement[] elements = {new ScatterGatherElement(), new ScatterGatherElement()};
        OpsWorkRequest wr = new OpsWorkRequest()
                .wrId(1)
                .next(next)
                .opcode(OpsWrOpcode.TAG_ADD)
                .flags(OpsFlags.SIGNALED | OpsFlags.TM_SYNC)
                .unexpectedCnt(3)
                .handle(4)
                .recvWrId(5)
                .sgList(elements, 1)
                .tag(6)
                .mask(7);

        assertSame(next, wr.next());
        assertSame(elements, wr.sgList());
        assertEquals(1, wr.numSge());
        assertEquals(2, wr.sgList(elements).numSge());
        assertEquals(
                "1 0 3 3 4 5 6 7",
                wr.wrId() + " " + wr.opcode() + " " + wr.flags() + " " + wr.unexpectedCnt() + " " + wr.handle() + " "
                        + wr.recvWrId() + " " + wr.tag() + " " + wr.mask());
        assertEquals("TAG_ADD 1, and more", wr.toString());
        assertEquals("TAG_DEL 2", next.toString());
        assertEquals("unknown (9)", OpsWrOpcode.toString(9));
        assertEquals("SIGNALED|TM_SYNC|0x8", OpsFlags.toString(11));
        assertEquals("RC|0x2", TmCapFlags.toString(3));
        assertEquals("TM", SrqType.toString(SrqType.TM));
    }

    @Test
    void listSizesSetTheirBit() {
        SrqInitAttrEx attr = new SrqInitAttrEx();
        assertEquals(0, attr.tmMaxNumTags());
        attr.tmCap(8, 4);
        assertEquals(8, attr.tmMaxNumTags());
        assertEquals(4, attr.tmMaxOps());
        assertEquals(SrqInitAttrMask.TM, attr.compMask());
        assertEquals("TM", SrqInitAttrMask.toString(16));
    }

    @Test
    void completionsCarryHeaderForReadersThatKnowIt() {
        WorkCompletion wc =
                new WorkCompletion().expect(WorkCompletion.SIZE).tmTag(-5).tmPriv(6);
        assertEquals(-5, wc.tmTag());
        assertEquals(6, wc.tmPriv());
        assertEquals(1L << WorkCompletion.TM_TAG | 1L << WorkCompletion.TM_PRIV, wc.compMask());
        wc.expect(WorkCompletion.TM_TAG).tmTag(1).tmPriv(2);
        assertEquals(0, wc.compMask());
        assertEquals(0, wc.tmTag());
        assertEquals(0, wc.tmPriv());
        assertEquals(
                "tag 0xffffffffffffffff, 0x7", new WcTmInfo().tag(-1).priv(7).toString());
    }

    @Test
    void connectionOptionsFormatAsText() {
        Ece ece = new Ece().vendorId(0x15b3).options(0x80000001);
        assertEquals(0x15b3, ece.vendorId());
        assertEquals(0x80000001, ece.options());
        assertEquals("vendor 0x15b3, options 0x80000001", ece.toString());
        assertEquals(0, ece.compMask());
    }
}
