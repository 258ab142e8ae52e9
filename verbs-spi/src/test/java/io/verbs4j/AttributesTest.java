/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How attributes grow: masks, sizes, strides. */
class AttributesTest {
    private static final class Growing extends InputAttr {
        Growing first() {
            mark(1);
            return this;
        }

        Growing sixtyFourth() {
            mark2(1);
            return this;
        }
    }

    private static final class Answer extends OutputAttr {
        Answer(int size) {
            super(size);
        }

        Object at(int index) {
            return field(index, "absent");
        }
    }

    /** A provider that knows neither flags nor hints can therefore ignore the hints, by the range of their mask bit. */
    @Test
    void optionalFlagsSetBitInOptionalRange() {
        int hint = 1 << 29;
        assertEquals(
                QpInitAttrMask.CREATE_FLAGS, new QpInitAttrEx().createFlags(0).compMask());
        assertEquals(
                QpInitAttrMask.CREATE_FLAGS,
                new QpInitAttrEx().createFlags(QpCreateFlags.CROSS_CHANNEL).compMask());
        assertEquals(
                QpInitAttrMask.CREATE_HINTS,
                new QpInitAttrEx().createFlags(QpCreateFlags.LOW_LATENCY | hint).compMask());
        assertEquals(
                QpInitAttrMask.CREATE_HINTS | QpInitAttrMask.CREATE_FLAGS,
                new QpInitAttrEx().createFlags(hint | 1).compMask());
        assertTrue(new QpInitAttrEx().createFlags(QpCreateFlags.LOW_LATENCY).hasOnly(0, 0));
        assertEquals(CqInitAttrMask.FLAGS, new CqInitAttrEx().flags(0).compMask());
        assertEquals(CqInitAttrMask.HINTS, new CqInitAttrEx().flags(hint).compMask());
        assertEquals(
                CqInitAttrMask.HINTS | CqInitAttrMask.FLAGS,
                new CqInitAttrEx().flags(hint | CqCreateFlags.SINGLE_THREADED).compMask());
    }

    @Test
    void settersSetTheirBits() {
        assertEquals(0, new QpInitAttrEx().compMask());
        assertEquals(QpInitAttrMask.PD, new QpInitAttrEx().pd(null).compMask());
        assertEquals(QpInitAttrMask.XRCD, new QpInitAttrEx().xrcd(null).compMask());
        assertEquals(
                QpInitAttrMask.SEND_OPS_FLAGS,
                new QpInitAttrEx().sendOpsFlags(0).compMask());
        assertEquals(SrqInitAttrMask.TYPE, new SrqInitAttrEx().srqType(0).compMask());
        assertEquals(SrqInitAttrMask.PD, new SrqInitAttrEx().pd(null).compMask());
        assertEquals(SrqInitAttrMask.XRCD, new SrqInitAttrEx().xrcd(null).compMask());
        assertEquals(SrqInitAttrMask.CQ, new SrqInitAttrEx().cq(null).compMask());
        assertEquals(XrcdInitAttrMask.FILE, new XrcdInitAttr().file(null).compMask());
        assertEquals(XrcdInitAttrMask.OFLAGS, new XrcdInitAttr().oflags(0).compMask());
        assertEquals(
                15,
                new QpOpenAttr().qpNum(1).xrcd(null).userContext(1).qpType(1).compMask());
    }

    /** A program may pass on an optional value that is null, which must request nothing. */
    @Test
    void nullClearsTheBit() {
        String vendor = "vendor";
        assertEquals(OpenAttrMask.VENDOR, new OpenAttr().vendor(vendor).compMask());
        assertEquals(0, new OpenAttr().vendor(vendor).vendor(null).compMask());
        assertEquals(QpInitAttrMask.VENDOR, new QpInitAttrEx().vendor(vendor).compMask());
        assertEquals(
                QpInitAttrMask.PD,
                new QpInitAttrEx().pd(null).vendor(vendor).vendor(null).compMask());
        assertEquals(QpAttrMask.VENDOR, new QpAttr().vendor(vendor).mask());
        assertEquals(0, new QpAttr().vendor(vendor).vendor(null).mask());
        CqInitAttrEx cq = new CqInitAttrEx().vendor(vendor);
        assertEquals(CqInitAttrMask.VENDOR, cq.compMask());
        assertEquals(0, cq.vendor(null).parentDomain(null).compMask());
        RingAllocator none = null;
        assertEquals(0, new ParentDomainInitAttr().allocators(none).compMask());
        assertEquals(
                ParentDomainMask.PD_CONTEXT,
                new ParentDomainInitAttr().pdContext(null).compMask(),
                "null is a valid object for allocators");
    }

    /** Bits set by other setters or a later level stay, also those of the second mask. */
    @Test
    void nullClearsNoOtherBit() {
        CqInitAttrEx attr = new CqInitAttrEx();
        attr.masks(CqInitAttrMask.VENDOR | CqInitAttrMask.PD | 1L << 40, 1L << 3);
        attr.vendor(null);
        assertEquals(InputAttr.COMP_MASK2 | CqInitAttrMask.PD | 1L << 40, attr.compMask());
        assertEquals(1L << 3, attr.compMask2());
    }

    @Test
    void bitsAreThoseOfLibibverbs() {
        assertEquals(1, QpInitAttrMask.PD);
        assertEquals(2, QpInitAttrMask.XRCD);
        assertEquals(1, SrqInitAttrMask.TYPE);
        assertEquals(2, SrqInitAttrMask.PD);
        assertEquals(4, SrqInitAttrMask.XRCD);
        assertEquals(8, SrqInitAttrMask.CQ);
        assertEquals(1, XrcdInitAttrMask.FILE);
        assertEquals(2, XrcdInitAttrMask.OFLAGS);
        assertEquals(1, QpOpenAttrMask.NUM);
        assertEquals(2, QpOpenAttrMask.XRCD);
        assertEquals(4, QpOpenAttrMask.CONTEXT);
        assertEquals(8, QpOpenAttrMask.TYPE);
    }

    @Test
    void bitNamesAreJoined() {
        assertEquals("0", QpInitAttrMask.toString(0));
        assertEquals("PD|XRCD", QpInitAttrMask.toString(3));
        assertEquals("TYPE|CQ|0x8000000000000000", SrqInitAttrMask.toString(9 | InputAttr.COMP_MASK2));
        assertEquals("FILE|OFLAGS|0x10", XrcdInitAttrMask.toString(0x13));
        assertEquals("NUM|XRCD|CONTEXT|TYPE", QpOpenAttrMask.toString(15));
    }

    @Test
    void topBitIndicatesSecondMask() {
        Growing attr = new Growing().first().sixtyFourth();

        assertEquals(1 | InputAttr.COMP_MASK2, attr.compMask());
        assertEquals(1, attr.compMask2());
        attr.masks(5, 0);
        assertEquals(5, attr.compMask());
        attr.masks(5, 6);
        assertEquals(5 | InputAttr.COMP_MASK2, attr.compMask());
    }

    @Test
    void unknownBitsAreFound() {
        assertTrue(new Growing().hasOnly(0, 0));
        assertTrue(new Growing().first().hasOnly(1, 0));
        assertTrue(new Growing().first().hasOnly(3, 1));
        assertFalse(new Growing().first().hasOnly(2, 0));
        assertFalse(new Growing().sixtyFourth().hasOnly(1, 0), "a callee without a second mask must refuse it");
        assertFalse(new Growing().sixtyFourth().hasOnly(1, 2));
        assertTrue(new Growing().sixtyFourth().hasOnly(0, 1));
        Growing announcesNothing = new Growing();
        announcesNothing.masks(InputAttr.COMP_MASK2, 0);
        assertFalse(announcesNothing.hasOnly(-1, -1));
    }

    @Test
    void importDescriptorSetsItsBit() {
        OpenAttr attr = new OpenAttr();
        assertEquals(-1, attr.importFd());
        assertEquals(0, attr.importFd(0).importFd(), "0 is a descriptor");
        assertEquals(OpenAttrMask.IMPORT_FD, attr.compMask());
        assertEquals("IMPORT_FD", OpenAttrMask.toString(2));
        assertEquals("importFd 7", new OpenAttr().importFd(7).toString());
    }

    @Test
    void workQueueAndHashSettersSetTheirBits() {
        assertEquals(0, new WqInitAttr().wqType(0).maxWr(1).maxSge(1).compMask());
        assertEquals(WqInitAttrMask.FLAGS, new WqInitAttr().createFlags(0).compMask());
        assertEquals(WqAttrMask.STATE, new WqAttr().wqState(WqState.RESET).compMask());
        assertEquals(WqAttrMask.CURR_STATE, new WqAttr().currWqState(0).compMask());
        assertEquals(WqAttrMask.FLAGS, new WqAttr().flags(0).flagsMask(0).compMask());
        assertEquals("PD|XRCD|IND_TABLE", QpInitAttrMask.toString(QpInitAttrMask.LIBRARY_BITS));
        RxHashConf conf =
                new RxHashConf().rxHashFunction(1).rxHashKey(new byte[40]).rxHashFieldsMask(3);
        assertEquals("TOEPLITZ of SRC_IPV4|DST_IPV4 with a key of 40 bytes", conf.toString());
        QpInitAttrEx attr = new QpInitAttrEx().rxHashConf(conf);
        assertEquals(QpInitAttrMask.RX_HASH, attr.compMask());
        assertFalse(attr.isBase());
        assertEquals(0, attr.rxHashConf(null).rwqIndTbl(null).compMask());
        assertEquals(
                QpInitAttrMask.MAX_TSO_HEADER,
                new QpInitAttrEx().maxTsoHeader(0).compMask());
        assertFalse(new QpInitAttrEx().pd(null).maxTsoHeader(0).isBase());
        assertEquals("CVLAN_STRIPPING|SCATTER_FCS", WqFlags.toString(3));
        assertEquals(
                "createFlags CVLAN_STRIPPING", new WqInitAttr().createFlags(1).toString());
        assertEquals("INNER", RxHashFields.toString(RxHashFields.INNER));
    }

    /** A program that changes its array afterwards changes nothing. */
    @Test
    void arraysAreCopied() {
        byte[] key = {1, 2};
        RxHashConf conf = new RxHashConf().rxHashKey(key);
        key[0] = 9;
        conf.rxHashKey()[1] = 9;
        assertEquals(1, conf.rxHashKey()[0]);
        assertEquals(2, conf.rxHashKey()[1]);
        WorkQueue[] queues = new WorkQueue[4];
        RwqIndTableInitAttr attr = new RwqIndTableInitAttr().indTbl(queues);
        assertEquals(2, attr.logIndTblSize());
        assertEquals("indTbl of 4", attr.toString());
        assertFalse(attr.indTbl() == queues);
        assertEquals("nothing set", new RwqIndTableInitAttr().toString());
    }

    @Test
    void unknownOptionalBitsAreIgnored() {
        OpenAttr attr = new OpenAttr();
        attr.masks(InputAttr.OPTIONAL_RANGE, InputAttr.OPTIONAL_RANGE2);
        assertTrue(attr.hasOnly(0, 0));
        attr.masks(1L << 55, 0);
        assertFalse(attr.hasOnly(0, 0));
        attr.masks(0, 1L << 55);
        assertFalse(attr.hasOnly(0, 0));
        assertTrue(attr.hasOnly(0, 1L << 55));
    }

    @Test
    void maskRangesMeetWithoutOverlap() {
        long providerAlone = 0xffff_ffffL;
        // The sum equals the whole only if nothing overlaps.
        assertEquals(~InputAttr.COMP_MASK2, providerAlone + InputAttr.LIBRARY_RANGE + InputAttr.OPTIONAL_RANGE);
        assertEquals(-1L, providerAlone + InputAttr.LIBRARY_RANGE + InputAttr.OPTIONAL_RANGE2);
        assertEquals(0x3ff0_0000, AccessFlags.OPTIONAL_RANGE, "bits 20 to 29, as in C");
        assertEquals(0xfff0_0000, AccessFlags.OPTIONAL_RANGE + AccessFlags.LIBRARY_RANGE);
    }

    @Test
    void calleeFillsOnlyFieldsThatCallerKnows() {
        Answer answer = new Answer(2);

        assertTrue(answer.offer(0, "a"));
        assertFalse(answer.offer(2, "what a newer callee knows"));
        assertFalse(answer.offer(-1, "nonsense"));
        assertEquals("a", answer.at(0));
        assertEquals("absent", answer.at(1), "what an older callee does not know");
        assertEquals("absent", answer.at(2));
        assertEquals(1, answer.compMask());
        assertEquals(2, answer.size());
        assertThrows(IllegalArgumentException.class, () -> new Answer(-1));
        assertThrows(IllegalArgumentException.class, () -> new Answer(129));
    }

    @Test
    void fieldsFromSixtyFourthUseSecondMask() {
        Answer answer = new Answer(128);

        assertTrue(answer.offer(63, "last of the first mask"));
        assertTrue(answer.offer(64, "first of the second"));
        assertTrue(answer.offer(127, "last"));
        assertEquals(1L << 63, answer.compMask());
        assertEquals(1L | 1L << 63, answer.compMask2());
        assertTrue(answer.has(64));
        assertFalse(answer.has(0), "not taken for the field 64 before it");
        assertFalse(answer.has(65));
        assertEquals("first of the second", answer.at(64));
        assertEquals("absent", answer.at(0));
    }

    @Test
    void elementsHaveLengthOfCaller() {
        AttrArray array = new AttrArray(2, 3);

        for (int element = 0; element < 3; element++) {
            for (int word = 0; word < 4; word++) {
                assertEquals(element < 2 && word < 3, array.offer(element, word, 10 * element + word));
            }
        }
        assertEquals(12, array.get(1, 2));
        assertEquals(10, array.get(1, 0), "the word beyond the stride must not spill into the next element");
        assertEquals(0, array.get(0, 3));
        assertEquals(0, array.get(2, 0));
        assertThrows(IllegalArgumentException.class, () -> new AttrArray(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> new AttrArray(1, 0));
        assertThrows(ArithmeticException.class, () -> new AttrArray(Integer.MAX_VALUE, 2));
    }

    @Test
    void levelOneAttributesConvertBothWays() {
        QpInitAttr old = new QpInitAttr().qpType(QpType.UC).sqSigAll(true).userContext("u");
        QpInitAttrEx attr = QpInitAttrEx.of(null, old);
        QpInitAttr back = attr.toBase();

        assertEquals(QpInitAttrMask.PD, attr.compMask());
        assertEquals(QpType.UC, back.qpType());
        assertTrue(back.sqSigAll());
        assertEquals("u", back.userContext());
        assertTrue(old.cap() == attr.cap() && attr.cap() == back.cap(), "the given capacities must be passed on");
        assertNull(back.sendCq());
        assertTrue(attr.isBase());
        assertFalse(attr.xrcd(null).isBase());
        assertFalse(new QpInitAttrEx().pd(null).qpType(QpType.XRC_SEND).isBase());
        assertTrue(new SrqInitAttrEx().pd(null).isBase());
        assertFalse(new SrqInitAttrEx().pd(null).srqType(SrqType.XRC).isBase());
        assertFalse(new SrqInitAttrEx().pd(null).cq(null).isBase());
    }
}
